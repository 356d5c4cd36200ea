import { isBuiltin } from 'node:module'
import { defineConfig } from 'vitest/config'

/** Time for what comes when it comes: no machine is too slow for these, and what hangs ends. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
}

const shared = {
  resolve: { conditions: ['dev'] },
  ssr: { resolve: { conditions: ['dev', 'module', 'node', 'import', 'default'] } },
}

/** Needs the SQLite that newer versions of Node hold: scripts/test.mjs runs this project on one of them. */
const server = {
  ...shared,
  test: {
    name: 'server',
    sequence: { groupOrder: 2 },
    // They wait for processes, time-outs and drains for two thirds of their time.
    maxWorkers: 4,
    include: ['packages/server/test/**/*.test.ts'],
    ...patience,
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
          ...patience,
        },
      },
      ...(isBuiltin('node:sqlite') ? [server] : []),
      {
        // Real bundlers in processes of their own, from the built packages: two files at a time are enough for two cores.
        test: {
          name: 'e2e',
          globalSetup: ['test/contract/shared-cache.ts'],
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/fixtures/**', 'test/projects/**'],
          ...patience,
          // Watchers, dev servers and browsers share two cores here: what fails twice in a row is broken.
          retry: process.env.CI ? 1 : 0,
          maxWorkers: 2,
        },
      },
      {
        // Starters of frameworks, which `npm run test:projects` installs from the registry, two at a time.
        test: {
          name: 'projects',
          sequence: { groupOrder: 2 },
          include: ['test/projects/*.test.ts'],
          testTimeout: 1_500_000,
          hookTimeout: 180_000,
          maxConcurrency: 2,
        },
      },
    ],
  },
})
