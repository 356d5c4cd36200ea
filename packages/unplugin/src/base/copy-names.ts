import path from 'node:path'

/** URLs of images of other servers, by the files that their copies are. Bundlers load this module more than once. */
const KEY = Symbol.for('pixpress.copies')

const names = ((globalThis as { [KEY]?: Map<string, string> })[KEY] ??= new Map<string, string>())

/** Bundlers write paths of Windows with slashes of either kind. */
const keyOf = (file: string): string => (path.sep === '/' ? file : file.replaceAll('\\', '/'))

/** Notes what a copy is called in messages, reports and locks, and by the patterns of options. */
export function nameCopy(file: string, name: string): void {
  names.set(keyOf(file), name)
}

/** The name of a copy: its URL, whose query is shown as a digest. `undefined` for files of the project. */
export function nameOfCopy(file: string): string | undefined {
  return names.size === 0 ? undefined : names.get(keyOf(file))
}
