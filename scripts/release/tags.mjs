import { spawnSync } from 'node:child_process'
import { root } from '../bootstrap.mjs'

/** Tells whether a version was released: each release has a tag, as `v1.2.3`. */
export function isTagged(version) {
  const tag = `refs/tags/v${version}`
  return spawnSync('git', ['rev-parse', '--quiet', '--verify', tag], { cwd: root }).status === 0
}

/**
 * Why a tag must not be published; `undefined` where it may.
 * @param {string} tag
 * @param {string} version of the manifests
 * @param {{ verified: boolean, reason: string } | undefined} verification GitHub's answer about the tag's signature
 */
export function tagProblem(tag, version, verification) {
  if (tag !== `v${version}`) return `The tag is '${tag}', and the version of the packages is ${version}.`
  if (verification === undefined) return `The tag ${tag} is not signed. Make it with: git tag --sign`
  if (!verification.verified) return `GitHub does not know the signature of ${tag}: ${verification.reason}.`
  return undefined
}
