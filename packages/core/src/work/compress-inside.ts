import { withoutIt } from '../base/faults.ts'
import type { PictureInside } from '../encoding/codec.ts'
import { detectType } from '../base/detect.ts'
import { digestOf } from '../base/digest.ts'
import { codecOf } from '../formats/index.ts'
import type { Job, JobResult } from './steps/job.ts'

/** A document whose pictures inside were compressed. */
export interface Lightened {
  readonly source: Uint8Array
  /** The lowest score of a picture inside; 100 if none was changed. */
  readonly score: number
  readonly notes: readonly string[]
}

/** Compresses the raster images inside of a file, each in its own type and for the file's promise. */
export async function compressInside(job: Job, run: (job: Job) => Promise<JobResult>): Promise<Lightened> {
  const pictures = codecOf(job.type).rewrite?.inside(job.source) ?? []
  const notes = isWrapper(job.source, pictures)
    ? ['Nearly all of its bytes are one raster image, which takes a quarter fewer as a file of its own.']
    : []
  const made = new Map<string, Promise<JobResult | undefined>>()
  const replacements: Replacement[] = []
  let lowest = 100
  for (const picture of pictures) {
    const { start, end, data } = picture
    const key = digestOf(data)
    const result = await (made.get(key) ?? remembered(made, key, compressed(picture, job, run)))
    if (result === undefined || result.data.length >= data.length) continue
    lowest = Math.min(lowest, result.score ?? 100)
    replacements.push({ start, end, by: result.data })
  }
  if (replacements.length === 0) return { source: job.source, score: 100, notes }
  return { source: withPictures(job.source, replacements), score: lowest, notes }
}

function remembered<T>(made: Map<string, T>, key: string, value: T): T {
  made.set(key, value)
  return value
}

/** Compresses one picture; `undefined` if it cannot be, because then the file keeps it. */
async function compressed(
  { data }: PictureInside,
  { operations, limits, file }: Job,
  run: (job: Job) => Promise<JobResult>,
): Promise<JobResult | undefined> {
  const type = detectType(data)!
  // `maxBytes` is a bound of the whole file, and metadata of a picture inside is seen by nobody.
  const own = { ...operations, types: null, maxBytes: null, preserve: [] }
  return run({ source: data, type, operations: own, limits, file }).catch(withoutIt)
}

/** A picture inside, and the bytes that take its place. */
interface Replacement extends Pick<PictureInside, 'start' | 'end'> {
  readonly by: Uint8Array
}

/** Puts other bytes in the place of pictures, of which none may overlap. */
function withPictures(source: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, by } of replacements) {
    parts.push(source.subarray(at, start), Buffer.from(Buffer.from(by).toString('base64'), 'latin1'))
    at = end
  }
  return Buffer.concat([...parts, source.subarray(at)])
}

/** The share of a document's bytes from which a picture is all that it holds. */
const ALL_OF_IT = 0.9

/** Tells whether a file is little more than one raster image, by its bytes: what else it draws may be text. */
function isWrapper(source: Uint8Array, pictures: readonly PictureInside[]): boolean {
  const [only] = pictures
  return only !== undefined && pictures.length === 1 && only.end - only.start >= ALL_OF_IT * source.length
}
