import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

type Files = Readonly<Record<string, Uint8Array | string>>

/** A repository on a disk with a pull request, checked out as GitHub does: at a trial merge of the two branches. */
export interface PullRequest {
  readonly workspace: string
  /** Commits of the branches on the remote, by name. */
  commitOf(branch: string): string
  /** Adds a commit to a branch of the remote. */
  push(branch: string, files: Files): Promise<void>
  /** Reads the remote's copy of a file. */
  read(branch: string, file: string): Buffer
  /** Files that differ between two commits. */
  changed(from: string, to: string): string[]
  /** Describes a commit by a format of `git log`. */
  describe(commit: string, format: string): string
  checkOut(): Promise<void>
  /** Returns the event that GitHub gives a workflow. */
  event(options?: { readonly isFork?: boolean }): object
}

export async function createPullRequest(folder: string, onMain: Files, onBranch: Files): Promise<PullRequest> {
  const remote = path.join(folder, 'remote.git')
  const author = path.join(folder, 'author')
  const workspace = path.join(folder, 'workspace')
  const commitOf = (branch: string): string => git(remote, 'rev-parse', `refs/heads/${branch}`).toString().trim()
  const commit = async (files: Files): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(author, name)), { recursive: true })
      await writeFile(path.join(author, name), content)
    }
    git(author, 'add', '.')
    git(author, 'commit', '--quiet', '-m', 'Change')
  }

  await mkdir(author, { recursive: true })
  git(folder, 'init', '--quiet', '--bare', '-b', 'main', remote)
  git(author, 'init', '--quiet', '-b', 'main')
  git(author, 'remote', 'add', 'origin', remote)
  await commit({ '.gitignore': 'node_modules\n.cache\n', 'package.json': '{}\n', ...onMain })
  git(author, 'checkout', '--quiet', '-b', 'feature')
  await commit(onBranch)
  git(author, 'push', '--quiet', 'origin', 'main', 'feature')

  const checkOut = async (): Promise<void> => {
    git(workspace, 'fetch', '--quiet', 'origin')
    git(workspace, 'checkout', '--quiet', '--force', '--detach', 'origin/main')
    git(workspace, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'origin/feature')
  }
  git(folder, 'clone', '--quiet', remote, workspace)
  await checkOut()
  // The command of this repository, as a project has it.
  await mkdir(path.join(workspace, 'node_modules/.bin'), { recursive: true })
  await writeFile(
    path.join(workspace, 'node_modules/.bin/pixpress'),
    `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`,
    { mode: 0o755 },
  )

  return {
    workspace,
    commitOf,
    async push(branch, files) {
      git(author, 'fetch', '--quiet', 'origin')
      git(author, 'checkout', '--quiet', '-B', branch, `origin/${branch}`)
      await commit(files)
      git(author, 'push', '--quiet', 'origin', branch)
    },
    read: (branch, file) => git(remote, 'show', `${branch}:${file}`),
    changed: (from, to) =>
      git(remote, 'diff', '--name-only', '-z', from, to)
        .toString()
        .split('\0')
        .filter((name) => name !== ''),
    describe: (name, format) => git(remote, 'log', '-1', `--format=${format}`, name).toString().trim(),
    checkOut,
    event: ({ isFork = false } = {}) => ({
      number: 7,
      pull_request: {
        number: 7,
        base: { sha: commitOf('main'), ref: 'main', repo: { full_name: 'owner/site' } },
        head: {
          sha: commitOf('feature'),
          ref: 'feature',
          repo: { full_name: isFork ? 'somebody/site' : 'owner/site' },
        },
      },
    }),
  }
}

function git(cwd: string, ...args: string[]): Buffer {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
}
