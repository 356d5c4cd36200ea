import { isBuiltin } from 'node:module'
import { defineConfig } from 'vitest/config'

const shared = {
  resolve: { conditions: ['dev'] },
  ssr: { resolve: { conditions: ['dev', 'module', 'node', 'import', 'default'] } },
}

/** Needs the SQLite that newer versions of Node hold: scripts/test.mjs runs this project on one of them. */
const server = {
  ...shared,
  test: {
    name: 'server',
    sequence: { groupOrder: 0 },
    maxWorkers: 2,
    include: ['packages/server/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          maxWorkers: 2,
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/server/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...(isBuiltin('node:sqlite') ? [server] : []),
      {
        // Real bundlers in processes of their own, from the built packages: two files at a time are enough for two cores.
        test: {
          name: 'e2e',
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/fixtures/**'],
          testTimeout: 180_000,
          // Watchers, dev servers and browsers share two cores here: what fails twice in a row is broken.
          retry: process.env.CI ? 1 : 0,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
