import { addedWork } from '@pixpress/core/internal'
import { compare } from '@pixpress/core/report'
import type { Conversion, ReportImage } from '@pixpress/core/report'

/** The first says most about an image's place in the output. */
const TOLD: readonly (Conversion | undefined)[] = ['fallback', 'offered', 'alone', 'kept', undefined]

/**
 * Joins results of one source that are the same image. An image that could become another type is planned once for
 * places that offer several types and once for those that name one file; where no type is smaller, both end alike, and
 * the output has one file.
 * @param images by identity
 * @param named identities of images whose files have names of their own: they stay apart
 */
export function withoutRepeats(
  images: ReadonlyMap<string, ReportImage>,
  named: ReadonlySet<string>,
): ReadonlyMap<string, ReportImage> {
  const joined = new Map<string, [string, ReportImage]>()
  const ordered = [...images].sort(
    ([a, one], [b, other]) => TOLD.indexOf(one.conversion) - TOLD.indexOf(other.conversion) || compare(a, b),
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
