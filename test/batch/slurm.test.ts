import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { WORKSPACE, photo, requireTool, startSlurm, naming } from '@pixpress/testkit'
import type { Slurm } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND, runCommand } from './command.ts'
import { readRecords } from './records.ts'

const installed = requireTool('slurmctld') !== undefined
const SCRIPT = path.join(WORKSPACE, 'examples/batch/slurm.sh')
const IMAGES = 60

describe.skipIf(!installed)('an array of four tasks in Slurm', () => {
  let slurm: Slurm
  let folder: string
  beforeEach(async () => {
    slurm = await startSlurm()
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-batch-'))
    await mkdir(path.join(folder, 'in'))
    await mkdir(path.join(folder, 'node_modules', '.bin'), { recursive: true })
    // npx takes the command of the project that it is started in.
    await writeFile(path.join(folder, 'package.json'), '{}')
    const shim = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`
    await writeFile(path.join(folder, 'node_modules', '.bin', 'pixpress'), shim, { mode: 0o755 })
    for (let seed = 1; seed <= IMAGES; seed++) {
      await writeFile(path.join(folder, 'in', `${seed}.jpg`), await photo(24, 16, seed).jpeg(90))
    }
  })
  afterEach(async () => {
    await slurm.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('does every image in one of the tasks, by the script of the examples', async () => {
    const env = { FROM: path.join(folder, 'in'), TO: path.join(folder, 'out') }
    // The node of the tests has less than a node of a cluster.
    const small = ['--cpus-per-task=1', '--mem=0', '--output=task-%a.log']
    const { code, stderr } = await slurm.submit([...small, SCRIPT, '--chunk', '5'], { cwd: folder, env })
    const logs = await Promise.all([1, 2, 3, 4].map((task) => readFile(path.join(folder, `task-${task}.log`), 'utf8')))
    expect({ code, stderr, logs: logs.map((log) => log.trimEnd().split('\n').at(-1)) }).toEqual({
      code: 0,
      stderr: '',
      logs: logs.map(() => expect.stringMatching(/^pixpress {2}batch [\da-f]{16}: /) as string),
    })
    const records = await readRecords(path.join(folder, 'out'))
    const keys = records.flatMap(({ images }) => images.map(({ key }) => key))
    expect(keys.sort()).toEqual((await readdir(path.join(folder, 'in'))).sort())
    expect(new Set(records.map(({ summary }) => summary.worker)).size).toBeGreaterThan(1)
    const status = await runCommand(['batch', '--to', 'out', '--status'], folder)
    expect(status.stdout).toEqual(naming(IMAGES, IMAGES))
  })
})
