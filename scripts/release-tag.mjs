import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from './bootstrap.mjs'
import { tagProblem } from './release/tags.mjs'

// The first step of the workflow that publishes: is the tag signed by somebody whom GitHub knows, and of this version?
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/core/package.json'), 'utf8'))
const tag = process.env.GITHUB_REF_NAME ?? ''
const sha = execFileSync('git', ['rev-parse', `refs/tags/${tag}`], { cwd: root, encoding: 'utf8' }).trim()
// A tag without a message is no object of its own, and cannot be signed.
const type = execFileSync('git', ['cat-file', '-t', sha], { cwd: root, encoding: 'utf8' }).trim()
const repository = process.env.GITHUB_REPOSITORY
const answer = type === 'tag' ? execFileSync('gh', ['api', `repos/${repository}/git/tags/${sha}`]).toString() : '{}'
const problem = tagProblem(tag, version, JSON.parse(answer).verification)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}
