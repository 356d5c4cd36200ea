import { withoutIt } from '../../base/faults.ts'
import type { Extras, GainMapView } from '../../encoding/codec.ts'
import { codecOf } from '../../formats/index.ts'
import { factsOf } from '../../base/formats.ts'
import type { CropFrame } from '../../crop/crop-frame.ts'
import { readOrientation } from './metadata.ts'
import type { ProbeResult } from '../../base/types.ts'
import type { Job, JobResult } from './job.ts'

const NOTHING: Extras = { pictures: 0, hasCredentials: false }

/**
 * Carries over to a result what its source has besides the picture: the HDR gain map of a JPEG to a JPEG. A note tells
 * what is left out.
 * @param crop that made the result; `undefined` if it shows all of the picture
 */
export async function carryExtras(
  job: Job,
  probe: ProbeResult,
  result: JobResult,
  crop: CropFrame | undefined,
): Promise<JobResult> {
  const extras = codecOf(job.type).extras?.(job.source) ?? NOTHING
  const { gainMap } = extras
  const notes = isWhole(job, result) ? [] : [...notesOf(extras), ...shownLarger(job, probe, result)]
  if (gainMap === undefined || job.operations.gainMap === false) return withNotes(result, notes)
  const { gainMaps } = codecOf(result.info.type)
  const refusal = whyLeftOut(job, result, crop)
  if (gainMaps === undefined || gainMap.file === undefined || refusal !== undefined) {
    // A file that stays in its own format has what its codec does not take out.
    const stays = result.kept === 'input' && gainMap.file === undefined && gainMaps === undefined
    return withNotes(
      result,
      stays ? notes : [...notes, `Its HDR gain map is left out, ${refusal ?? notCarried(result)}.`],
    )
  }
  const view = viewOf(probe, result, crop)
  const map = await gainMaps.fit(gainMap.file, view).catch(withoutIt)
  if (map === undefined) return withNotes(result, [...notes, 'Its HDR gain map is left out, as it cannot be read.'])
  const data = gainMaps.attach(result.data, map)
  const { maxBytes } = job.operations
  if (maxBytes !== null && data.length > maxBytes) {
    const why = `Its HDR gain map is left out, as the file would take ${data.length} bytes with it.`
    return withNotes(result, [...notes, why])
  }
  const hasGrown = data.length > job.source.length && result.data.length <= job.source.length
  const grown = `Grew from ${job.source.length} to ${data.length} bytes, as its HDR gain map is listed anew.`
  const sized = { ...result, data, info: { ...result.info, size: data.length } }
  return withNotes(sized, hasGrown ? [...notes, grown] : notes)
}

/** Tells whether a result has every byte of its source. */
const isWhole = ({ source }: Job, { data }: JobResult): boolean =>
  data.length === source.length && Buffer.compare(data, source) === 0

const withNotes = (result: JobResult, notes: readonly string[]): JobResult =>
  notes.length === 0 ? result : { ...result, notes: [...result.notes, ...notes] }

function notesOf({ pictures, hasCredentials }: Extras): string[] {
  return [
    ...(pictures === 0 ? [] : [pictures === 1 ? 'A second picture in the file is left out.' : several(pictures)]),
    ...(hasCredentials ? ['Its content credentials (C2PA) are left out, as they do not hold for other bytes.'] : []),
  ]
}

/** Tells that browsers showed the source at another size than the result, whose format has no word for it. */
function shownLarger({ source, type }: Job, { width, height }: ProbeResult, { info }: JobResult): string[] {
  const isPixels = info.width === width && info.height === height
  const size = isPixels && !codecOf(info.type).shownSize ? codecOf(type).shownSize?.read(source) : undefined
  if (size === undefined) return []
  const shown = `Browsers show the source at ${size.width}×${size.height} by its EXIF resolution`
  return [`${shown}, and a ${factsOf(info.type).label} at its ${width}×${height} pixels: give it a width and a height.`]
}

const several = (pictures: number): string => `${pictures} more pictures in the file are left out.`

function notCarried({ info }: JobResult): string {
  const isWritten = codecOf(info.type).gainMaps !== undefined
  return isWritten
    ? 'as its kind cannot be carried over'
    : `as ${factsOf(info.type).label} files are written without one`
}

/** Returns why a gain map does not fit the result, as the end of a sentence; `undefined` if it does. */
function whyLeftOut({ operations }: Job, { info }: JobResult, crop: CropFrame | undefined): string | undefined {
  if (codecOf(info.type).gainMaps === undefined) return undefined
  if (operations.adjust !== undefined) return 'as the picture was adjusted'
  const isFilled =
    crop === undefined || (crop.placed.width === crop.size.width && crop.placed.height === crop.size.height)
  return isFilled ? undefined : 'as the picture stands on a background'
}

/** Returns the part of the upright picture that the result shows. */
function viewOf({ orientation, width, height }: ProbeResult, { data, info }: JobResult, crop?: CropFrame): GainMapView {
  const stillTurns = readOrientation(data, info.type) !== 1
  const cut = crop?.cut
  const isAll = cut === undefined || (cut.width === width && cut.height === height)
  return {
    orientation: stillTurns ? 1 : orientation,
    scale: Math.min(1, info.width / (cut?.width ?? width)),
    part: isAll
      ? undefined
      : { left: cut.left / width, top: cut.top / height, width: cut.width / width, height: cut.height / height },
  }
}
