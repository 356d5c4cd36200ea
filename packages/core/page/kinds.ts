import { choice, element } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'

/** Tells whether an image has a lower score than was promised, as one that may have few bytes. */
export function isBelowPromise({ score, promise }: PageImage): boolean {
  return score !== undefined && promise !== undefined && score < promise
}

/** Images to choose from, by the words of the choice. */
const KINDS = {
  everything: () => true,
  'no smaller for a reason': ({ why }: PageImage) => why !== undefined,
  'worked on now': ({ cached }: PageImage) => !cached,
  'photographs as PNG': ({ isPhotoAsPng }: PageImage) => isPhotoAsPng === true,
  'under several names': ({ duplicates }: PageImage) => duplicates !== undefined,
  'below their promise': isBelowPromise,
  'with remarks': ({ notes }: PageImage) => notes.length > 0,
} as const

/** The words for some of the images. */
export type Kind = keyof typeof KINDS

const EVERYTHING: Kind = 'everything'

/** The choice among kinds of images. */
export interface Kinds {
  readonly element: HTMLSelectElement
  /** Tells whether an image is of the chosen kind. */
  has(image: PageImage): boolean
  choose(kind: Kind): void
  /** Chooses a kind of its own, which takes the place of an earlier one. */
  add(words: string, test: (image: PageImage) => boolean): void
}

/** Creates the list of the kinds that some images are of, each with their number. */
export function createKinds(images: readonly PageImage[]): Kinds {
  const tests = new Map<string, (image: PageImage) => boolean>(Object.entries(KINDS))
  const shown = (kind: string): string => {
    const count = images.filter((image) => tests.get(kind)!(image)).length
    return kind === EVERYTHING ? kind : `${kind} (${count})`
  }
  const some = [...tests.keys()].filter((kind) => kind === EVERYTHING || images.some((each) => tests.get(kind)!(each)))
  const list = choice(some.map((kind) => [kind, shown(kind)] as const))
  let own: HTMLOptionElement | undefined
  return {
    element: list,
    has: (image) => tests.get(list.value)!(image),
    choose(kind) {
      list.value = kind
    },
    add(words, test) {
      own?.remove()
      tests.set(words, test)
      own = element('option', { value: words, textContent: shown(words) })
      list.append(own)
      list.value = words
    },
  }
}
