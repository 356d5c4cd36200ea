import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serverNode } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { ROOT } from './markdown.ts'

/** Stands for vitest: notes its projects. The end-to-end tests fail without results, as where a set-up throws. */
const VITEST = `
  import { appendFileSync, writeFileSync } from 'node:fs'
  const projects = process.argv.flatMap((each, at, all) => (each === '--project' ? [all[at + 1]] : []))
  appendFileSync('ran.txt', projects.join('+') + '\\n')
  if (projects.includes('e2e')) process.exit(3)
  const failed = projects.includes('unit') ? 2 : 0
  const results = process.argv.find((each) => each.startsWith('--outputFile.json=')).split('=')[1]
  const skipped = { status: 'pending', fullName: 'cat sleeps', failureMessages: [] }
  const broken = { status: 'failed', fullName: 'dog barks', failureMessages: ['AssertionError: it purrs'] }
  const passed = { status: 'passed', fullName: 'cow moos', failureMessages: [] }
  const assertionResults = failed > 0 ? [passed, skipped, broken] : [passed]
  const testResults = [{ name: process.cwd() + '/test/pets.test.ts', startTime: 1000, endTime: 3500, message: '', assertionResults }]
  if (failed > 0) testResults.push({ name: process.cwd() + '/test/zoo.test.ts', message: 'no lion', assertionResults: [] })
  writeFileSync(results, JSON.stringify({ numPassedTests: 10, numFailedTests: failed, numPendingTests: 1, testResults }))
  process.exit(failed > 0 ? 1 : 0)
`

it.skipIf(process.platform === 'win32')(
  'scripts/test.mjs runs every project, and names the slowest files, and what failed or was skipped last',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-run-'))
    try {
      for (const each of [
        'package.json',
        'scripts/test.mjs',
        'scripts/bootstrap.mjs',
        'packages/testkit/src/server-node.js',
      ])
        await cp(path.join(ROOT, each), path.join(folder, each))
      await mkdir(path.join(folder, 'node_modules/vitest'), { recursive: true })
      await writeFile(path.join(folder, 'node_modules/vitest/vitest.mjs'), VITEST)
      // Installing, building and the checks are not the subject.
      await mkdir(path.join(folder, 'bin'))
      await writeFile(path.join(folder, 'bin/npx'), '#!/bin/sh\n')
      await chmod(path.join(folder, 'bin/npx'), 0o755)
      const env = { ...process.env, PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}` }
      const { status, stdout } = spawnSync(serverNode(), [path.join(folder, 'scripts/test.mjs')], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      expect((await readFile(path.join(folder, 'ran.txt'), 'utf8')).trim().split('\n')).toEqual([
        'unit+unit-alone',
        'e2e',
        'e2e-alone',
        'server',
      ])
      expect(stdout).toContain('30 passed, 2 failed, 3 skipped')
      const end = stdout.slice(stdout.indexOf("the server's tests", stdout.indexOf('e2e')))
      expect(end).toMatch(/unit tests \d+\.\d s, end-to-end tests \d+\.\d s, tests under load \d+\.\d s/)
      expect(end).toContain('   2.5 s  test/pets.test.ts')
      expect(end).toContain('- test/pets.test.ts: cat sleeps (pending)')
      expect(end).toContain('✗ test/pets.test.ts: dog barks (failed)\nAssertionError: it purrs')
      expect(end).toContain('✗ test/zoo.test.ts\nno lion')
      expect(end).not.toContain('cow moos')
      expect(status).not.toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
