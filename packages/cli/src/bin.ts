#!/usr/bin/env node
import { oldNode } from '@pixpress/core/node-version'

// An old Node fails as soon as the command is loaded, so the command is loaded after this check.
const problem = process.versions['bun'] === undefined ? oldNode(process.versions.node) : undefined
if (problem === undefined) await import('./start.ts').catch(refuse)
else fail(problem)

/** Shows an error that is known before any command runs: of packages that do not fit together, for instance. */
function refuse(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'PixpressError') throw error
  fail(error.message)
}

function fail(message: string): void {
  process.stderr.write(`pixpress: ${message}\n`)
  process.exitCode = 1
}
