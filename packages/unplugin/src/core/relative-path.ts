import path from 'node:path'

/** A part of a path that is not a plain name: empty, `.` or `..`. */
const UNRESOLVED = /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/

/** Relative to a folder, with forward slashes: for messages, names and manifests that are the same on every machine. */
export function relativePath(folder: string, file: string): string {
  const relative = below(folder, file) ?? path.relative(folder, file)
  return path.sep === '/' ? relative : relative.split(path.sep).join('/')
}

/** The usual case, a file of the project, without the cost of `path.relative`, which resolves both against the working folder. */
function below(folder: string, file: string): string | undefined {
  if (!path.isAbsolute(folder) || !file.startsWith(folder) || file[folder.length] !== path.sep) return undefined
  const rest = file.slice(folder.length + 1)
  return UNRESOLVED.test(rest) ? undefined : rest
}
