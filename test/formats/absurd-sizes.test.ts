import { absurdSizes, createProject, runProcess, WORKSPACE } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PROGRAM = `
import { readFileSync } from 'node:fs'
import { createOptimizer } from './packages/core/dist/index.js'
const optimizer = createOptimizer({})
const codes = []
for (const file of process.argv.slice(1)) {
  codes.push(await optimizer.optimize(readFileSync(file)).then(() => 'made', ({ code }) => code))
}
await optimizer.close()
console.log(JSON.stringify(codes))
`

let project: Project

beforeAll(async () => {
  const files = (await absurdSizes()).map(({ format, data }, index) => [`${index}.${format}`, data] as const)
  project = await createProject('absurd-sizes', { files: Object.fromEntries(files) })
})
afterAll(() => project.dispose())

describe('headers that claim absurd sizes', () => {
  it('are refused before a decoder prints what it thinks of them', async () => {
    const files = (await absurdSizes()).map(({ format }, index) => project.path(`${index}.${format}`))
    const { stdout, stderr } = await runProcess(process.execPath, {
      cwd: WORKSPACE,
      args: ['--input-type=module', '-e', PROGRAM, ...files],
      timeout: 150_000,
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(files.map(() => 'INPUT_TOO_LARGE'))
  })
})
