import type { PageImage } from '../src/report/page-shape.ts'

/** Images to choose from, by the words of the choice. */
const KINDS = {
  everything: () => true,
  'no smaller for a reason': ({ why }: PageImage) => why !== undefined,
  'worked on now': ({ cached }: PageImage) => !cached,
  'photographs as PNG': ({ isPhotoAsPng }: PageImage) => isPhotoAsPng === true,
  'under several names': ({ duplicates }: PageImage) => duplicates !== undefined,
  'with remarks': ({ notes }: PageImage) => notes.length > 0,
} as const

/** The words for some of the images. */
export type Kind = keyof typeof KINDS

/** Tells whether an image is one of a kind. */
export const isOfKind = (image: PageImage, kind: Kind): boolean => KINDS[kind](image)

/** Lists the kinds that some images are of, each with their number. */
export function kindsOf(images: readonly PageImage[]): readonly (readonly [kind: Kind, shown: string])[] {
  const counts = (Object.keys(KINDS) as Kind[]).map(
    (kind) => [kind, images.filter((each) => isOfKind(each, kind)).length] as const,
  )
  return counts
    .filter(([kind, count]) => count > 0 || kind === 'everything')
    .map(([kind, count]) => [kind, kind === 'everything' ? kind : `${kind} (${count})`])
}
