import path from 'node:path'
import { git, namesOf } from './run-git.ts'

/** Git's knowledge of the files below a folder. */
export interface GitFolder {
  /**
   * Returns whether Git ignores a file or folder. Tracked ones are not ignored, whatever the rules say. @param place
   * absolute
   */
  isIgnored(place: string): boolean
  /** Returns whether Git tracks anything in a folder. @param folder absolute */
  isTracked(folder: string): Promise<boolean>
}

/**
 * Asks Git itself, as rules stand in several files of several folders, and what is tracked is beyond them.
 * @returns `undefined` outside of a repository, without Git, and where the folder is ignored itself: whoever names it
 * wants what is in it
 */
export async function askGit(folder: string): Promise<GitFolder | undefined> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  const listing = await git(folder, ...args).catch(() => undefined)
  const names = listing === undefined ? [SELF] : namesOf(listing)
  if (names.includes(SELF)) return undefined
  // Git writes whole folders with a slash at their end.
  const ignored = new Set(names.map((name) => path.join(folder, name).replace(/[\\/]$/, '')))
  return {
    isIgnored: (place) => ignored.has(place),
    isTracked: async (inside) => (await git(inside, 'ls-files', '-z', '--', '.').catch(() => 'nobody knows')) !== '',
  }
}

/** The folder itself, in the words of Git. */
const SELF = './'
