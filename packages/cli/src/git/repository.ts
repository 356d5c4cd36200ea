import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'
import { fileAt, git, namesOf } from './run-git.ts'

/** Git's knowledge of a folder's repository. Paths are absolute. */
export interface Repository {
  /** Its top folder. */
  readonly top: string
  /**
   * Returns the files that changed since a ref: against the commit where this branch left it, as reviews show it, with
   * uncommitted and untracked files and without deleted ones.
   * @throws UsageError for an unknown ref, or one without a common commit with this branch
   */
  changesSince(ref: string): Promise<Changes>
  /** Returns the files that the next commit would add or change: renamed files too, without deleted ones. */
  staged(): Promise<Changes>
}

/** Changed files. */
export interface Changes {
  readonly files: ReadonlySet<string>
  /** Bytes of every file of the commit that was compared with. */
  sizesBefore(): Promise<ReadonlyMap<string, number>>
  /** A file as that commit has it, by its absolute path; `undefined` where it has none. */
  before(file: string): Promise<Buffer | undefined>
}

/** @returns `undefined` outside of a repository, and where there is no Git */
export async function findRepository(cwd: string): Promise<Repository | undefined> {
  const answer = await git(cwd, 'rev-parse', '--is-inside-work-tree', '--show-cdup').catch(() => '')
  const [isInside, up = ''] = answer.split('\n')
  // A bare repository has no files.
  if (isInside !== 'true') return undefined
  const top = path.resolve(cwd, up)
  return { top, changesSince: (ref) => changesSince(top, ref), staged: () => stagedChanges(top) }
}

/** @throws UsageError outside of a repository */
export async function stagedFiles(cwd: string): Promise<ReadonlySet<string>> {
  const repository = await findRepository(cwd)
  if (repository === undefined) throw new UsageError('--staged needs a Git repository, and there is none here.')
  return (await repository.staged()).files
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
  return changesFrom(top, base.trim(), listings.flatMap(namesOf))
}

async function stagedChanges(top: string): Promise<Changes> {
  const listing = await git(top, 'diff', '--cached', '--name-only', '--diff-filter=ACMRT', '--no-ext-diff', '-z', '--')
  // Before the first commit there is nothing to compare with.
  const head = await git(top, 'rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')
  return changesFrom(top, head.trim() || undefined, namesOf(listing))
}

/** @param base the commit that was compared with; `undefined`: none */
function changesFrom(top: string, base: string | undefined, names: readonly string[]): Changes {
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    sizesBefore: async () =>
      base === undefined ? new Map() : sizesOf(top, await git(top, 'ls-tree', '-r', '-l', '-z', '--full-tree', base)),
    before: async (file) =>
      base === undefined ? undefined : fileAt(top, base, path.relative(top, file).split(path.sep).join('/')),
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
