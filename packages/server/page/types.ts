/** Names and extensions of all types that the engine knows; put in when the page is built (scripts/bundle.mjs). */
declare const TYPES: Readonly<Record<string, { readonly label: string; readonly extension: string }>>

/** Returns the name of a type for people: `AVIF`. */
export const labelOf = (type: string): string => TYPES[type]?.label ?? 'Picture'

/** Returns the extension of a type's results, without the dot; empty for an unknown one. */
export const extensionOf = (type: string): string => TYPES[type]?.extension ?? ''

/** Kinds of files that people take for pictures of the web, by their extensions. */
const OTHERS: Readonly<Record<string, string>> = {
  heic: 'HEIC pictures',
  heif: 'HEIC pictures',
  tif: 'TIFF pictures',
  tiff: 'TIFF pictures',
  bmp: 'BMP pictures',
  psd: 'Photoshop files',
  ai: 'Illustrator files',
  raw: 'RAW pictures',
  dng: 'RAW pictures',
  cr2: 'RAW pictures',
  nef: 'RAW pictures',
  arw: 'RAW pictures',
  pdf: 'PDF files',
  ico: 'ICO files',
  mp4: 'Videos',
  mov: 'Videos',
  webm: 'Videos',
}

/** Names what a file is by its name, in the plural; `undefined` where the name tells nothing. */
export const kindOfOther = (name: string): string | undefined =>
  OTHERS[/\.([^.]+)$/.exec(name)?.[1]!.toLowerCase() ?? '']

/**
 * Lists the types to compare for an upload: its own, and those that are usually smaller and that current browsers show.
 * An SVG stays one, and a GIF may move, which AVIF cannot here.
 */
export function candidatesFor(own: string): readonly string[] {
  if (own === 'image/svg+xml') return [own]
  return [...new Set([own, 'image/webp', ...(own === 'image/gif' ? [] : ['image/avif'])])]
}
