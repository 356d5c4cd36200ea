/** More pictures than these would make a comment slow to open. */
export const MAX_ROWS = 25

/** Maps the pushed images by the paths of their sources. */
export const madeOf = (fix) => new Map(fix?.images.map((image) => [image.file, image]))

/**
 * The images that the comment has rows for, as far as they fit: images with findings come first, then the heaviest.
 * `delivered` has the bytes of the picture that a visitor gets or would get of each, where the files of the repository
 * do not show it.
 */
export function shownImages({ images, fix, report }) {
  const made = madeOf(fix)
  const found = new Set((fix?.report ?? report).findings.map(({ source }) => source))
  const isDue = ({ source, file }) => found.has(source) || made.has(file)
  return images
    .toSorted((a, b) => Number(isDue(b)) - Number(isDue(a)) || b.bytes - a.bytes || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_ROWS)
    .map((image) => ({ ...image, delivered: deliveredOf(image, made.has(image.file) || !found.has(image.source)) }))
}

/** A build delivers what it ships; elsewhere a finding would be delivered smaller, and all others as they are. */
function deliveredOf({ bytes, possible, sourceBytes }, isDone) {
  if (possible === undefined) return undefined
  if (sourceBytes !== undefined) return bytes
  return isDone || possible >= bytes ? undefined : possible
}
