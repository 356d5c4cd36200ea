import path from 'node:path'

/** Relative to a folder, with forward slashes: for messages, names and manifests that are the same on every machine. */
export function relativePath(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/')
}
