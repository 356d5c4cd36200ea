import { WHY_NAMES, describeTogether, describeWhy, formatBytes } from '@pixpress/core/report'
import type { Why } from '@pixpress/core/report'
import type { ImageList } from './image-table.ts'
import { possibleBytes } from './images.ts'
import type { CheckedImage } from './images.ts'

/** Images that are no smaller for the same reason, the heaviest first. */
export interface KeptGroup {
  readonly because: Why['because']
  /** The reason: of one image as `keptSentence` has it, of several without their figures. */
  readonly sentence: string
  readonly bytes: number
  /** Bytes of the files themselves: more than `bytes` where a build ships smaller ones. */
  readonly file: number
  readonly images: readonly CheckedImage[]
}

type KeptImage = CheckedImage & { readonly outcome: { readonly why: Why } }

/**
 * Returns whether an image stays as it is, or a build ships it so, and the reason is known: nothing of it is left to
 * compress.
 */
export const isKept = (image: CheckedImage): image is KeptImage =>
  image.outcome?.why !== undefined && possibleBytes(image) === image.bytes

/** Bytes of an image or a group, and those of the files where a build ships fewer: `8.1 kB of 12.0 kB`. */
export const keptBytes = ({ bytes, file = bytes }: { readonly bytes: number; readonly file?: number }): string =>
  formatBytes(bytes) + (file > bytes ? ` of ${formatBytes(file)}` : '')

/** Why an image is no smaller, with its figures. */
export const keptSentence = ({ bytes, outcome: { why } }: KeptImage): string => describeWhy(why, bytes)

/** Groups of images by what keeps them as they are, that of most bytes first. */
export function keptGroups(images: ImageList): readonly KeptGroup[] {
  const byReason = new Map<Why['because'], KeptImage[]>()
  for (const image of images) {
    if (!isKept(image)) continue
    const { because } = image.outcome.why
    const own = byReason.get(because)
    if (own === undefined) byReason.set(because, [image])
    else own.push(image)
  }
  const groups = [...byReason].map(([because, own]): KeptGroup => {
    const [first] = own
    const sentence = own.length === 1 ? keptSentence(first!) : describeTogether(first!.outcome.why)
    const bytes = own.reduce((sum, image) => sum + image.bytes, 0)
    const file = own.reduce((sum, image) => sum + (image.file ?? image.bytes), 0)
    // Sorting keeps the order of equals, which is that of their names.
    return { because, sentence, bytes, file, images: own.sort((a, b) => b.bytes - a.bytes) }
  })
  return groups.sort((a, b) => b.bytes - a.bytes || orderOf(a) - orderOf(b))
}

const orderOf = ({ because }: KeptGroup): number => WHY_NAMES.indexOf(because)
