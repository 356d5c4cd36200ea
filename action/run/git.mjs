import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Bytes of the largest listing: a million files take about 100 MB. */
const MAX_OUTPUT = 1024 ** 3

/**
 * Returns the output of Git as it is. No shell is used, so that names of files and branches are nothing but names.
 * @throws Error with the message of Git, without credentials of addresses
 */
export async function git(cwd, args, { env = {}, input } = {}) {
  const running = promisify(execFile)('git', args, {
    cwd,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    maxBuffer: MAX_OUTPUT,
  })
  if (input !== undefined) running.child.stdin.end(input)
  const { stdout } = await running.catch((error) => {
    const said = String(error.stderr || error.message).replace(/\/\/[^@/\s]*@/g, '//')
    throw new Error(`git ${args[0]}: ${said.trim()}`)
  })
  return stdout
}

/** Names that a command with `-z` prints. */
export const namesOf = (listing) => listing.split('\0').filter((name) => name !== '')

/**
 * The files of a commit by their paths from the top: `{ mode, object, bytes }`. Symbolic links and submodules are none.
 */
export async function filesOf(cwd, commit) {
  const files = new Map()
  for (const line of namesOf(await git(cwd, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]))) {
    const [, mode, object, bytes, name] = /^(100\d{3}) blob ([0-9a-f]+) +(\d+)\t([^]+)$/.exec(line) ?? []
    if (name !== undefined) files.set(name, { mode, object, bytes: Number(bytes) })
  }
  return files
}

/** Files that Git knows and that differ from the commit that is checked out. */
export async function changedFiles(top) {
  return namesOf(await git(top, ['diff', '--name-only', '--no-ext-diff', '-z', 'HEAD', '--']))
}
