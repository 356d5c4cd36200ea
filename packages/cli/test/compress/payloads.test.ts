import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { payloadSamples } from '@pixpress/testkit'
import { afterAll, expect, it } from 'vitest'
import { compressFile } from '../../src/compress/compress-file.ts'
import type { FileOutcome } from '../../src/compress/compress-file.ts'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { createTargets } from '../../src/compress/targets.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const optimizer = createOptimizer({ cache: false, concurrency: 1 })
afterAll(() => optimizer.close())

async function compress(name: string, out?: string): Promise<FileOutcome> {
  const input = { file: path.join(folder.path, name), place: name }
  return compressFile(input, name, {
    optimizer,
    operations: () => ({ operations: {}, score: 80 }),
    targetOf: createTargets([input], out),
    store: undefined,
    lock: undefined,
    dryRun: false,
    overwrite: false,
    earlier: createEarlierResults(undefined),
    force: false,
    preserveTimes: false,
    minSaving: 0,
    inPlace: out === undefined,
    backup: undefined,
    originals: undefined,
    writing: (write) => write(),
  })
}

it('in place, every payload outlives two runs, and whatever is not written is named', async () => {
  let written = 0
  for (const [index, { name, data, isThere }] of (await payloadSamples()).entries()) {
    const file = `${index}.bin`
    await folder.write({ [file]: data })
    const first = await compress(file)
    const after = await folder.read(file)
    expect(isThere(after), `${index} ${name}`).toBe(true)
    expect(after.length).toBe(first.result.data.length)
    if (first.written) written++
    const second = await compress(file)
    expect([second.written, isThere(await folder.read(file))], `${index} ${name}`).toEqual([false, true])
  }
  // Files whose payloads can be carried are compressed, and not left alone.
  expect(written).toBeGreaterThan(12)
})

it('into another folder, a result is made as in a build, and a note names what it lacks', async () => {
  const { data } = (await payloadSamples())[0]!
  await folder.write({ 'flow.png': data })
  const { result, written } = await compress('flow.png', path.join(folder.path, 'out'))
  expect([written, Buffer.from(result.data).includes('mxfile'), result.notes.length]).toEqual([true, false, 1])
  expect(await folder.read('flow.png')).toEqual(data)
})
