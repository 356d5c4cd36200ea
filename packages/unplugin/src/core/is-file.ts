import { stat } from 'node:fs/promises'

/** Whether there is a file at this path that can be read as one; not for a folder or what cannot be reached. */
export function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}
