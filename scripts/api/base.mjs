import { execFileSync } from 'node:child_process'
import { root } from '../bootstrap.mjs'

/** A command of Git in the repository; `undefined` where it fails. */
function git(...args) {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e8 }
    return execFileSync('git', args, options)
  } catch {
    return undefined
  }
}

/** The commit that this state is compared with: the last release's tag, else where the branch left the main one. */
export function baseCommit() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD')?.trim()
  return tag ?? (git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main'))?.trim()
}

/** The API reports and the version of a commit. */
export function stateOf(commit) {
  const files = (git('ls-tree', '-r', '--name-only', commit, 'packages') ?? '')
    .split('\n')
    .filter((file) => file.endsWith('.api.md'))
  const reports = new Map(files.map((file) => [file, git('show', `${commit}:${file}`) ?? '']))
  const manifest = git('show', `${commit}:packages/core/package.json`)
  return { reports, version: manifest && JSON.parse(manifest).version }
}
