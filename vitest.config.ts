import { readFileSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Time for what comes when it comes: no machine is too slow for these, and what hangs ends. */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
}

/** A test that fails twice in a row is broken: on a busy machine a process may start late, or a socket close early. */
const retry = process.env.CI ? 1 : 0

/**
 * Unit tests that exchange or count what a process has once: modules, clocks, its environment, its output, sharp's
 * work. Each of these files has a process of its own. The others share one per worker, with what they load: by itself a
 * file spends 0.35 s of a processor on a process and the sources.
 */
const alone = readdirSync(path.join(import.meta.dirname, 'packages')).flatMap((name) => {
  const folder = path.join(import.meta.dirname, 'packages', name, 'test')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
  return files
    .filter((file) => /\bvi\.\w|sharp\.counters/.test(readFileSync(path.join(folder, file), 'utf8')))
    .map((file) => `packages/${name}/test/${file.split(path.sep).join('/')}`)
})

/** Loads on real services, which answer that they are too busy where others work beside them. */
const loads = ['test/server/replicas.test.ts', 'test/cache/machines.test.ts']

const notUnit = ['**/node_modules/**', 'packages/server/**']

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
    retry,
  },
}

/** The projects of the tests. */
export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          maxWorkers: 2,
          isolate: false,
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...notUnit, ...alone],
          ...patience,
          retry,
        },
      },
      {
        ...shared,
        test: {
          name: 'unit-alone',
          sequence: { groupOrder: 0 },
          maxWorkers: 2,
          include: alone,
          exclude: notUnit,
          ...patience,
          retry,
        },
      },
      ...(isBuiltin('node:sqlite') ? [server] : []),
      {
        // Real bundlers in processes of their own, from the built packages. Three files at a time keep two processors
        // busy: processes start, watchers wait, a service is asked again after a while.
        test: {
          name: 'e2e',
          globalSetup: ['test/contract/shared-cache.ts'],
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/fixtures/**', 'test/projects/**', ...loads],
          ...patience,
          retry,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'e2e-alone',
          sequence: { groupOrder: 3 },
          include: loads,
          ...patience,
          retry,
          maxWorkers: 1,
        },
      },
      {
        // Starters of frameworks, which `npm run test:projects` installs from the registry, two at a time.
        test: {
          name: 'projects',
          sequence: { groupOrder: 2 },
          include: ['test/projects/*.test.ts'],
          testTimeout: 1_500_000,
          // Each file packs the packages before its tests: 75 s beside other work, and more than 180 s was seen.
          hookTimeout: 600_000,
          maxConcurrency: 2,
        },
      },
    ],
  },
})
