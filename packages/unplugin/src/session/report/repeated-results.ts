import { addedWork } from '@pixpress/core/internal'
import { compare } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'

/**
 * Joins results of one source that are the same image. An image that could become another type is planned once for
 * places that let it and once for those that name its type. Both end alike where no type is smaller: the output has one
 * file.
 * @param images by identity
 * @param named identities of images whose files have names of their own: they stay apart
 */
export function withoutRepeats(
  images: ReadonlyMap<string, ReportImage>,
  named: ReadonlySet<string>,
): ReadonlyMap<string, ReportImage> {
  const joined = new Map<string, [string, ReportImage]>()
  // The one that says why an image keeps its format tells more.
  const ordered = [...images].sort(
    ([a, one], [b, other]) =>
      Number(other.typeKept !== undefined) - Number(one.typeKept !== undefined) || compare(a, b),
  )
  for (const [id, image] of ordered) {
    const { source, type, width, height, after, score, kept } = image
    const key = JSON.stringify([source, type, width, height, after, score, kept, ...(named.has(id) ? [id] : [])])
    const former = joined.get(key)
    joined.set(key, former === undefined ? [id, image] : [former[0], together(former[1], image)])
  }
  const left = new Map(joined.values())
  return new Map([...images.keys()].filter((id) => left.has(id)).map((id) => [id, left.get(id)!]))
}

function together(one: ReportImage, other: ReportImage): ReportImage {
  const work = one.work && other.work ? addedWork(one.work, other.work) : (one.work ?? other.work)
  const baseline = one.baseline ?? other.baseline
  return {
    ...one,
    cached: one.cached && other.cached,
    ...(work !== undefined && { work }),
    ...(baseline !== undefined && { baseline }),
  }
}
