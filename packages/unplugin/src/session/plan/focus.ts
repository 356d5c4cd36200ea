import { PixpressError } from '@pixpress/core'
import type { ProbeResult } from '@pixpress/core'
import { regionPoints, shownValue } from '@pixpress/core/internal'
import type { ImageQuery } from '../../directives/query.ts'
import type { DirectiveSource } from '../../directives/rows.ts'
import { isFile } from '../../base/files.ts'
import type { Files } from '../../base/files.ts'

/** Directives without which nothing is cropped. */
const CROPPING = ['h', 'aspect', 'position', 'preset']

/** An image whose crop may follow a point of interest. */
export interface FocusSubject {
  /** Absolute path. */
  readonly file: string
  readonly bytes: Uint8Array
  readonly header: Pick<ProbeResult, 'orientation'>
  readonly query: ImageQuery
  /** The image's name in messages. */
  readonly shown: string
}

/**
 * Finds the points that a crop of an image is to keep: `focus` of the file that has its name and `.json` behind it,
 * else the regions of its XMP. Nothing is read for a query that does not crop.
 * @throws PixpressError `INVALID_OPTION` for a focus that is no point
 */
export async function focusOf(
  files: Files,
  { file, bytes, header, query, shown }: FocusSubject,
): Promise<Pick<DirectiveSource, 'focus' | 'face'>> {
  if (!crops(query)) return {}
  const regions = await regionPoints(bytes, header.orientation)
  const sidecar = sidecarOf(file)
  if (!(await isFile(files, sidecar))) return regions
  const focus = focusIn(String(await files.readFile(sidecar)), `${shown}.json`)
  return focus === undefined ? regions : { ...regions, focus }
}

/**
 * Lists the files that an image is made of, for bundlers to watch: itself, and the one with the point that its crop is
 * to keep.
 * @param file absolute path of the image
 */
export async function watchedFiles(
  files: Files,
  file: string,
  query: Pick<ImageQuery, 'directives'>,
): Promise<string[]> {
  return crops(query) && (await isFile(files, sidecarOf(file))) ? [file, sidecarOf(file)] : [file]
}

const sidecarOf = (file: string): string => `${file}.json`

const crops = ({ directives }: Pick<ImageQuery, 'directives'>): boolean => CROPPING.some((word) => directives.has(word))

/** Reads the focus. A file of that name may belong to another tool: one without JSON or a focus is left alone. */
function focusIn(text: string, shown: string): DirectiveSource['focus'] {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null || !('focus' in given)) return undefined
  const { focus } = given
  const isPoint = Array.isArray(focus) && focus.length === 2 && focus.every((share) => share >= 0 && share <= 1)
  if (isPoint) return [focus[0] as number, focus[1] as number]
  const message = `${shown}: 'focus' must be two shares of width and height such as [0.3, 0.6] but is ${shownValue(focus)}.`
  throw new PixpressError('INVALID_OPTION', message, { file: shown })
}
