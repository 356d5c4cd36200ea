import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from '../exit.ts'

/** What Git knows of a folder's repository. Paths are absolute. */
export interface Repository {
  /** Its top folder. */
  readonly top: string
  /**
   * What has changed since a ref: against the commit where this branch left it, as reviews show it, with what is not committed
   * and what is not tracked; without deleted files.
   * @throws UsageError for a ref that is none, or that has no common commit with this branch
   */
  changesSince(ref: string): Promise<Changes>
}

export interface Changes {
  readonly files: ReadonlySet<string>
  /** Bytes of every file of the commit that was compared with. */
  sizesBefore(): Promise<ReadonlyMap<string, number>>
}

/** A listing of a million files is about 100 MB. */
const MAX_OUTPUT = 1024 ** 3

/** @returns `undefined` outside of a repository, and where there is no Git */
export async function findRepository(cwd: string): Promise<Repository | undefined> {
  const answer = await git(cwd, 'rev-parse', '--is-inside-work-tree', '--show-cdup').catch(() => '')
  const [isInside, up = ''] = answer.split('\n')
  // A bare repository has no files.
  if (isInside !== 'true') return undefined
  const top = path.resolve(cwd, up)
  return { top, changesSince: (ref) => changesSince(top, ref) }
}

async function changesSince(top: string, ref: string): Promise<Changes> {
  const commit = await git(top, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw new UsageError(`There is no commit '${ref}' for '--changed': fetch it, or give a branch, tag or commit.`)
  })
  const base = await git(top, 'merge-base', commit.trim(), 'HEAD').catch(() => {
    throw new UsageError(
      `'${ref}' and this branch have no commit in common: fetch the whole history (in GitHub Actions 'fetch-depth: 0').`,
    )
  })
  const listings = await Promise.all([
    git(top, 'diff', '--name-only', '--diff-filter=d', '--no-ext-diff', '-z', base.trim(), '--'),
    git(top, 'ls-files', '--others', '--exclude-standard', '-z'),
  ])
  const names = listings.flatMap((listing) => listing.split('\0')).filter((name) => name !== '')
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    sizesBefore: async () => sizesOf(top, await git(top, 'ls-tree', '-r', '-l', '-z', '--full-tree', base.trim())),
  }
}

/** Lines as `100644 blob <object> <bytes>\t<path>`; symbolic links and submodules are no files. */
function sizesOf(top: string, listing: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const line of listing.split('\0')) {
    const [, bytes, name] = /^100\d{3} blob [0-9a-f]+ +(\d+)\t([^]+)$/.exec(line) ?? []
    if (name !== undefined) sizes.set(path.join(top, name), Number(bytes))
  }
  return sizes
}

/** @throws Error when Git ends with another code than 0 */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: MAX_OUTPUT, windowsHide: true })
  return stdout
}
