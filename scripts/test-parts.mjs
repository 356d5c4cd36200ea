import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../..')

/** A test named so starts processes, browsers or servers, or encodes for seconds. `npm test` leaves it out. */
const SLOW = '**/*.slow.test.ts'
const NOT_OURS = ['**/node_modules/**', '**/fixtures/**']
const SERVER = 'packages/server/test/**'

/**
 * Unit tests that exchange or count what a process has once: modules, clocks, its environment, its output, sharp's
 * operations. Each of these files gets its own process. The others share one per worker, which saves 0.35 s of
 * processor time for each file.
 */
const alone = readdirSync(path.join(root, 'packages')).flatMap((name) => {
  const folder = path.join(root, 'packages', name, 'test')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
  return files
    .filter((file) => /\bvi\.\w|sharp\.counters/.test(readFileSync(path.join(folder, file), 'utf8')))
    .map((file) => `packages/${name}/test/${file.split(path.sep).join('/')}`)
})

/** The end-to-end tests that `npm test` runs: the main way through each surface. */
const MAIN = [
  'test/contract/{vite,webpack}.test.ts',
  // The adapters that no other test of these parts builds with.
  'test/{rollup,esbuild}/assets.test.ts',
  'test/esbuild/references.test.ts',
  'test/rollup/formats.test.ts',
  'test/browser/example.test.ts',
  'test/fence/short.test.ts',
  'test/{docs,release}/!(*.slow).test.ts',
]

/** Loads on real services, which refuse work while other tests use the processor. */
const LOADS = ['test/server/replicas.test.ts', 'test/cache/machines.test.ts']

/**
 * Every part of the tests: a vitest project each. Parts with `suite: 'test'` are those of `npm test`; `npm run
 * test:all` runs the others as well. `sources`: runs from the sources, without a build. `node: 'server'`: needs the
 * SQLite of Node 22.13 or newer.
 */
export const PARTS = [
  {
    name: 'unit',
    title: 'unit tests',
    suite: 'test',
    sources: true,
    isolate: false,
    maxWorkers: 2,
    include: ['packages/*/test/**/*.test.ts'],
    exclude: [...NOT_OURS, SERVER, SLOW, ...alone],
  },
  {
    name: 'unit-alone',
    title: 'unit tests in their own processes',
    suite: 'test',
    sources: true,
    maxWorkers: 2,
    include: alone,
    exclude: [...NOT_OURS, SERVER, SLOW],
  },
  {
    name: 'main',
    title: 'builds, the command and a page',
    suite: 'test',
    maxWorkers: 2,
    include: MAIN,
    exclude: NOT_OURS,
    globalSetup: ['test/contract/shared-cache.ts'],
  },
  {
    name: 'server',
    title: 'the server',
    suite: 'test',
    node: 'server',
    sources: true,
    // These tests wait for processes, time-outs and drains for two thirds of their time.
    maxWorkers: 4,
    include: [`${SERVER}/*.test.ts`],
    exclude: [...NOT_OURS, SLOW],
  },
  {
    name: 'slow',
    title: 'processes, browsers and large pictures',
    suite: 'rest',
    sources: true,
    maxWorkers: 3,
    include: [`packages/*/test/${SLOW}`],
    exclude: [...NOT_OURS, SERVER],
  },
  {
    name: 'server-slow',
    title: 'the server over time',
    suite: 'rest',
    node: 'server',
    sources: true,
    maxWorkers: 4,
    include: [`${SERVER}/${SLOW.slice(3)}`],
    exclude: NOT_OURS,
  },
  {
    name: 'e2e',
    title: 'every bundler, browser and store',
    suite: 'rest',
    // Processes start and watchers wait: three files at a time keep two processors busy.
    maxWorkers: 3,
    include: ['test/**/*.test.ts'],
    exclude: [...NOT_OURS, 'test/projects/**', ...LOADS, ...MAIN],
    globalSetup: ['test/contract/shared-cache.ts'],
  },
  { name: 'loads', title: 'loads', suite: 'rest', maxWorkers: 1, include: LOADS },
  {
    name: 'projects',
    title: 'starters of frameworks',
    suite: 'rest',
    // Builders work on one processor for much of their time.
    maxWorkers: 2,
    include: ['test/projects/*.test.ts'],
    exclude: NOT_OURS,
    testTimeout: 1_500_000,
    maxConcurrency: 2,
  },
]
