import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A listing of a million files is about 100 MB. */
const MAX_OUTPUT = 1024 ** 3

/** Returns the output of Git. @throws Error when it ends with another code than 0, or is not installed */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: MAX_OUTPUT, windowsHide: true })
  return stdout
}

/** Bytes of a file as a commit has it; `undefined` where it has none. @param name from the top of the repository */
export async function fileAt(top: string, commit: string, name: string): Promise<Buffer | undefined> {
  const settings = { cwd: top, maxBuffer: MAX_OUTPUT, windowsHide: true, encoding: 'buffer' } as const
  const answer = promisify(execFile)('git', ['cat-file', 'blob', `${commit}:${name}`], settings)
  return answer.then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}

/** The names of a listing that was asked for with `-z`. */
export const namesOf = (listing: string): string[] => listing.split('\0').filter((name) => name !== '')
