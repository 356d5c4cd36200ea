#!/usr/bin/env node
import { oldNode } from '@pixpress/core/node-version'

// What an old Node lacks is missed as soon as the command is loaded, so it is loaded after this.
const problem = process.versions['bun'] === undefined ? oldNode(process.versions.node) : undefined
if (problem === undefined) await import('./start.ts')
else {
  process.stderr.write(`pixpress: ${problem}\n`)
  process.exitCode = 1
}
