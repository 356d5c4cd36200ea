import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { filesOf, git } from './git.mjs'

const BOT = { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' }

/** Line of the message that marks a commit of the action. */
const TRAILER = 'Compressed-by: pixpress'

/**
 * Returns whether the last change of a file was the action's own: a second compression would lose detail a second time.
 */
export async function wasFixedBefore(top, head, file) {
  await fetchCommit(top, head)
  const message = await git(top, ['log', '-1', '--format=%B', head, '--', `:(literal,top)${file}`])
  return message.split('\n').includes(TRAILER)
}

/**
 * Makes a commit on top of a branch's head with files as they lie here. The checkout is often a trial merge of the
 * branch with its base, and stays as it is.
 * @returns the commit, its files, and those left out, as the branch has other content of them than what is checked out
 */
export async function commitOnto(top, head, names) {
  await fetchCommit(top, head)
  const [theirs, ours] = await Promise.all([filesOf(top, head), filesOf(top, 'HEAD')])
  const isSame = (name) => theirs.get(name)?.object === ours.get(name)?.object
  const files = names.filter((name) => isSame(name))
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-index-'))
  try {
    // An index of its own: that of the job may hold what other steps have prepared.
    const env = { GIT_INDEX_FILE: path.join(folder, 'index') }
    await git(top, ['read-tree', head], { env })
    for (const name of files) {
      // With the filters of .gitattributes, as Git LFS has one.
      const object = (await git(top, ['hash-object', '-w', `--path=${name}`, '--', path.join(top, name)])).trim()
      const mode = theirs.get(name)?.mode ?? '100644'
      await git(top, ['update-index', '-z', '--index-info'], { env, input: `${mode} ${object}\t${name}\0` })
    }
    const tree = (await git(top, ['write-tree'], { env })).trim()
    const commit = await git(top, ['commit-tree', '-p', head, '-F', '-', tree], {
      env: identity(),
      input: `Compress images\n\n${TRAILER}\n`,
    })
    return { commit: commit.trim(), files, left: names.filter((name) => !isSame(name)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Makes a commit without a parent that has nothing but some files.
 * @param files their paths in the commit and on the disk
 */
export async function commitOf(top, files) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-index-'))
  try {
    const env = { GIT_INDEX_FILE: path.join(folder, 'index') }
    for (const { name, path: file } of files) {
      // A filter would make a pointer of them, as that of Git LFS.
      const object = (await git(top, ['hash-object', '-w', '--no-filters', '--', file])).trim()
      await git(top, ['update-index', '-z', '--index-info'], { env, input: `100644 ${object}\t${name}\0` })
    }
    const tree = (await git(top, ['write-tree'], { env })).trim()
    const message = 'Pictures as they are delivered\n'
    return (await git(top, ['commit-tree', '-F', '-', tree], { env: identity(), input: message })).trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Shallow checkouts have the merge commit alone. */
async function fetchCommit(top, commit) {
  const isHere = await git(top, ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  )
  if (!isHere) await git(top, ['fetch', '--quiet', '--no-tags', '--depth=1', 'origin', commit])
}

const identity = () => ({
  GIT_AUTHOR_NAME: BOT.name,
  GIT_AUTHOR_EMAIL: BOT.email,
  GIT_COMMITTER_NAME: BOT.name,
  GIT_COMMITTER_EMAIL: BOT.email,
})
