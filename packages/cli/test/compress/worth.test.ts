import { parseFlags } from '@pixpress/core/internal'
import { STEPS, createReport, reportImage } from '@pixpress/core/report'
import type { Report, ReportImage, Step } from '@pixpress/core/report'
import { createOptimizer } from '@pixpress/core'
import { photo } from '@pixpress/testkit'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { COMPRESS_FLAGS } from '../../src/compress/flags.ts'
import { compressWorth } from '../../src/compress/worth.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
let heavy: Buffer

beforeAll(async () => {
  heavy = await photo(320, 240).jpeg(97)
})

const end = async (...args: string[]): Promise<string> => {
  const { stdout } = await folder.run(['compress', 'src', ...args])
  return stdout.trimEnd().split('\n').at(-1)!
}

describe('the last line of compress', () => {
  beforeEach(() => folder.write({ 'src/a.jpg': heavy }))

  it('says what was achieved', async () => {
    expect(await end()).toMatch(/^pixpress {2}[\d.]+ kB → [\d.]+ kB \(-\d+%\)$/)
    // A run from the cache fits one line, which is the last.
    expect(await end()).toMatch(/^pixpress {2}1 image, all cached {2}/)
  })

  it('names the flag that keeps bytes, and what they are once it is left out', async () => {
    const said = await end('--dry-run')
    expect(said).toMatch(/(?:; |^pixpress {2})[^;]*`--dry-run`, [\d.]+ kB [^;]*$/)
    const report = JSON.parse((await folder.run(['compress', 'src', '--min-saving', '99', '--json'])).stdout) as Report
    expect(report.images).toMatchObject([
      { reason: 'little', why: { because: 'little' }, before: heavy.length, after: heavy.length },
    ])
    expect(report.worth).toMatchObject({ step: 'no-min-saving', setting: '--min-saving', images: 1, of: 1 })
    expect(await end('--min-saving', '99')).toMatch(/(?:; |^pixpress {2})[^;]*`--min-saving`, [\d.]+ kB [^;]*$/)
    const done = JSON.parse((await folder.run(['compress', 'src', '--json'])).stdout) as Report
    expect(done.totals.saved).toBe(report.worth!.saves)
  })

  it('counts files with the same bytes, of which one would do', async () => {
    await folder.write({ 'src/b.jpg': heavy, 'src/c.jpg': heavy })
    const { images, worth } = JSON.parse((await folder.run(['compress', 'src', '--json'])).stdout) as Report
    expect(worth).toMatchObject({ step: 'one-of-same', saves: 2 * images[0]!.after, images: 3 })
    await folder.remove('src/b.jpg')
    expect(await end('--report', 'full')).toMatch(/(?:; |^pixpress {2})one file /)
  })

  it('is printed neither for programs nor for whoever wants nothing', async () => {
    expect((await folder.run(['compress', 'src', '--quiet', '--dry-run'])).stdout).toBe('')
    expect(JSON.parse((await folder.run(['compress', 'src', '--json', '--dry-run'])).stdout)).toMatchObject({
      worth: { step: 'no-dry-run' },
    })
  })
})

describe('steps that are flags or commands', () => {
  const steps = (Object.keys(STEPS) as Step[]).map((step) => [step, STEPS[step]] as const)
  const flags = steps.filter(([, { reader }]) => reader === 'without')
  const commands = steps.filter(([, { reader }]) => reader === 'command')

  it.each(flags)('%s is a flag that the parser takes', (_, { setting }) => {
    const name = setting.slice(2)
    const value = COMPRESS_FLAGS[name]?.value === undefined ? [] : ['5']
    expect(parseFlags([setting, ...value], COMPRESS_FLAGS).flags).toHaveProperty([name])
  })

  it.each(commands)('%s is a command that there is', (_, { setting }) => {
    const [npx, pixpress, command] = setting.split(' ')
    expect([npx, pixpress]).toEqual(['npx', 'pixpress'])
    expect(Object.keys(COMMANDS)).toContain(command)
  })

  it('is nothing where a run has left nothing', async () => {
    const optimizer = createOptimizer()
    const image: ReportImage = reportImage('a.jpg', await optimizer.optimize(heavy))
    await optimizer.close()
    expect(compressWorth(createReport(new Map([['a', image]]), [], 1), { dryRun: false })).toBeUndefined()
  })
})
