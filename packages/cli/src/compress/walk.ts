import fs from 'node:fs'
import path from 'node:path'
import { askGit } from '../git/ignored-files.ts'
import type { GitFolder } from '../git/ignored-files.ts'
import { isOutput, mayBeOutput } from '../git/output-folders.ts'

/** Why something below a folder is not looked at. */
export type SkipReason = 'ignored' | 'output'

/** Something that is not looked at. */
export interface Skipped {
  /** Absolute path of a file or folder. */
  readonly place: string
  readonly reason: SkipReason
}

interface WalkOptions {
  /** Folders that are passed over without a word, absolute: those of results and of the cache. */
  readonly own: readonly string[]
  readonly onSkipped: (skipped: Skipped) => void
}

/** Folders that are listed at once. All at once, those of 100,000 files took 10 MB more, and no less time. */
const LISTED_AT_ONCE = 2

/** Nobody would wonder where these are. */
const UNTOLD: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache'])

/**
 * The file system below a folder, without what Git ignores and what a build has written: of those folders nothing is
 * even listed. Folders are listed a few at once.
 * @param root absolute path of the folder, which is looked through whatever it is
 */
export async function openWalk(root: string, options: WalkOptions): Promise<typeof fs> {
  const repositories: GitFolder[] = []
  const addRepository = async (folder: string): Promise<void> => {
    const found = await askGit(folder)
    if (found !== undefined) repositories.push(found)
  }
  await addRepository(root)

  async function reasonFor(place: string, entry: fs.Dirent): Promise<SkipReason | undefined> {
    if (repositories.some((each) => each.isIgnored(place))) return 'ignored'
    if (!entry.isDirectory() || !mayBeOutput(place)) return undefined
    for (const each of repositories) if (await each.isTracked(place)) return undefined
    return (await isOutput(place)) ? 'output' : undefined
  }

  async function ownEntries(folder: string, entries: fs.Dirent[]): Promise<fs.Dirent[]> {
    // A repository in the repository, or one of several that lie side by side, has rules of its own.
    if (folder !== root && entries.some(({ name }) => name === '.git')) await addRepository(folder)
    const kept: fs.Dirent[] = []
    for (const entry of entries) {
      const place = path.join(folder, entry.name)
      if (options.own.includes(place)) continue
      const reason = await reasonFor(place, entry)
      if (reason === undefined) kept.push(entry)
      else if (!UNTOLD.has(entry.name)) options.onSkipped({ place, reason })
    }
    return kept
  }

  return createListing(ownEntries)
}

/** @param ownEntries which entries of a folder there are for whoever lists it */
function createListing(ownEntries: (folder: string, entries: fs.Dirent[]) => Promise<fs.Dirent[]>): typeof fs {
  const queue: (() => void)[] = []
  let listed = 0
  const next = (): void => {
    while (listed < LISTED_AT_ONCE && queue.length > 0) {
      listed++
      queue.shift()!()
    }
  }
  const readdir = (folder: string, options: { withFileTypes: true }, done: ListingDone): void => {
    const end: ListingDone = (error, entries) => {
      listed--
      done(error, entries)
      next()
    }
    queue.push(() =>
      fs.readdir(folder, options, (error, entries) => {
        if (error !== null) return end(error, entries)
        ownEntries(path.resolve(folder), entries).then(
          (own) => end(null, own),
          // Everything is searched if the entries cannot be told apart.
          () => end(null, entries),
        )
      }),
    )
    next()
  }
  return { ...fs, readdir: readdir as typeof fs.readdir }
}

type ListingDone = (error: NodeJS.ErrnoException | null, entries: fs.Dirent[]) => void
