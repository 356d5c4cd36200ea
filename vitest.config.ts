import { isBuiltin } from 'node:module'
import { defineConfig } from 'vitest/config'
import { PARTS } from './scripts/test-parts.mjs'

/** No machine is too slow for these, and a test that hangs still ends. */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  /** On a busy machine a process may start late, or a socket close early: a fault fails twice. */
  retry: process.env.CI ? 1 : 0,
}

/** Takes the packages' sources in place of what is built. */
const sources = {
  resolve: { conditions: ['dev'] },
  ssr: { resolve: { conditions: ['dev', 'module', 'node', 'import', 'default'] } },
}

export default defineConfig({
  test: {
    projects: PARTS.filter(({ node }) => node === undefined || isBuiltin('node:sqlite')).map(
      // Parts differ in their number of workers, which vitest asks a group of their own for.
      ({ title: _title, suite: _suite, node: _node, sources: fromSources, ...test }, groupOrder) => ({
        ...(fromSources && sources),
        test: { ...patience, sequence: { groupOrder }, ...test },
      }),
    ),
  },
})
