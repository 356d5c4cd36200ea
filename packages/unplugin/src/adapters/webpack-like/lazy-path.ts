import path from 'node:path'

/** Folder of the addresses under which a dev server encodes images when it is asked for them. */
const FOLDER = '@pixpress'

/** Relative to the public path: `@pixpress/<id>/<name>`. */
export function lazyPath(id: string, name: string): string {
  return path.posix.join(FOLDER, id, name)
}

export function isLazyPath(file: string | undefined): boolean {
  return file !== undefined && LAZY_PATH.test(file)
}

/** A file's path or the path of a URL below `lazyPath`; the group is the id. */
export const LAZY_PATH: RegExp = /[\\/]@pixpress[\\/]([\da-f]{16})[\\/][^\\/]+$/
