/** Extensions of pictures that are not read, by what people call them. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  PSD: ['psd'],
  'JPEG 2000': ['jp2', 'jpx'],
  'camera raw': ['cr2', 'cr3', 'nef', 'arw', 'dng', 'raf'],
}

const BY_EXTENSION = new Map(Object.entries(UNREAD).flatMap(([name, all]) => all.map((each) => [each, name] as const)))

/** Matches every file of such a type, by its name. */
export const UNREAD_GLOB: string = `**/*.{${[...BY_EXTENSION.keys()].join(',')}}`

/** Returns the usual name of the type of a file that is not read; `undefined` for any other. */
export const unreadType = (file: string): string | undefined =>
  BY_EXTENSION.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase())

/**
 * Returns one line about all of them: `3 PSD and 1 JPEG 2000 are not read: export them as JPEG or PNG.`, or `undefined`
 * if there are none.
 */
export function unreadLine(types: readonly string[]): string | undefined {
  if (types.length === 0) return undefined
  const names = Object.keys(UNREAD).filter((name) => types.includes(name))
  const counts = names.map((name) => `${types.filter((each) => each === name).length} ${name}`)
  const list = new Intl.ListFormat('en-GB').format(counts)
  return types.length === 1
    ? `${list} is not read: export it as JPEG or PNG.`
    : `${list} are not read: export them as JPEG or PNG.`
}
