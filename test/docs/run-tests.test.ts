import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serverNode } from '@pixpress/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './markdown.ts'

/** Stands for vitest: notes its project. `main` ends without results, as where a set-up throws. */
const VITEST = `
  import { appendFileSync, writeFileSync } from 'node:fs'
  const project = process.argv[process.argv.indexOf('--project') + 1]
  appendFileSync('ran.txt', [project, ...process.argv.filter((each) => each.startsWith('--shard'))].join(' ') + '\\n')
  if (project === 'main') process.exit(3)
  const results = process.argv.find((each) => each.startsWith('--outputFile.json=')).split('=')[1]
  const skipped = { status: 'pending', fullName: 'cat sleeps', failureMessages: [] }
  const broken = { status: 'failed', fullName: 'dog barks', failureMessages: ['AssertionError: it purrs'] }
  const passed = { status: 'passed', title: 'cow', fullName: 'cow moos', failureMessages: [], meta: { summary: '4 images' } }
  const failed = project === 'unit'
  const assertionResults = failed ? [passed, skipped, broken] : [passed]
  const testResults = [{ name: process.cwd() + '/test/pets.test.ts', startTime: 1000, endTime: 3500, message: '', assertionResults }]
  if (failed) testResults.push({ name: process.cwd() + '/test/zoo.test.ts', message: 'no lion', assertionResults: [] })
  writeFileSync(results, JSON.stringify({ testResults }))
  process.exit(failed ? 1 : 0)
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pixpress-run-'))
  for (const each of ['package.json', 'scripts', 'packages/testkit/src/server-node.js'])
    await cp(path.join(ROOT, each), path.join(folder, each), { recursive: true })
  await mkdir(path.join(folder, 'node_modules/vitest'), { recursive: true })
  await writeFile(path.join(folder, 'node_modules/vitest/vitest.mjs'), VITEST)
  await mkdir(path.join(folder, 'packages/testkit/test'))
  // Installing, building and the checks are not the subject.
  await mkdir(path.join(folder, 'bin'))
  await writeFile(path.join(folder, 'bin/npx'), '#!/bin/sh\n')
  await chmod(path.join(folder, 'bin/npx'), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(...args: string[]) {
  await rm(path.join(folder, 'ran.txt'), { force: true })
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}` }
  const { status, stdout } = spawnSync(serverNode(), [path.join(folder, 'scripts/test.mjs'), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, ran: (await readFile(path.join(folder, 'ran.txt'), 'utf8')).trim().split('\n') }
}

it.skipIf(process.platform === 'win32')(
  'npm test goes on after a part that fails, and ends with what it tried',
  async () => {
    const { status, stdout, ran } = await run()
    expect(status).not.toBe(0)
    expect(ran).toEqual(['unit', 'unit-alone', 'main', 'server'])
    const end = stdout.slice(stdout.indexOf('The slowest files:'))
    expect(end).toMatch(/2\.5 s {2}test\/pets\.test\.ts/)
    expect(end).toContain('- test/pets.test.ts: cat sleeps (pending)')
    expect(end).toContain('✗ test/pets.test.ts: dog barks (failed)\nAssertionError: it purrs')
    expect(end).toContain('✗ test/zoo.test.ts\nno lion')
    expect(end).not.toContain('cow moos')
    expect(end).toMatch(/\d s {2}unit tests: 2 files/)
    expect(end).toMatch(/test:all.*starters of frameworks/)
    expect(end).toContain('3 passed, 2 failed, 1 skipped')
  },
)

it.skipIf(process.platform === 'win32')(
  'the rest and single parts run by their names, with options for vitest',
  async () => {
    expect((await run('--rest')).ran).toEqual(['slow', 'server-slow', 'e2e', 'loads', 'projects'])
    const { ran, stdout, status } = await run('--part', 'e2e', '--shard=1/3')
    expect([ran, status]).toEqual([['e2e --shard=1/3'], 0])
    expect(stdout).toMatch(/cow +4 images/)
  },
)
