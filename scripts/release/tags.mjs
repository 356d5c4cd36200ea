import { spawnSync } from 'node:child_process'
import { root } from '../bootstrap.mjs'

/** Whether a version was released: each release has a tag, as `v1.2.3`. */
export function isTagged(version) {
  const tag = `refs/tags/v${version}`
  return spawnSync('git', ['rev-parse', '--quiet', '--verify', tag], { cwd: root }).status === 0
}
