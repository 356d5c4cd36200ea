import { runProcess, WORKSPACE } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'

/**
 * Scores a JPEG of 36 megapixels against its picture twice, and says by how many MiB the process grew, and what the
 * picture takes.
 */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { createPicture, fromPicture } from './packages/core/dist/encoding/picture.js'
import { createScorer } from './packages/core/dist/work/steps/scorer.js'
const memory = (field) => Number(new RegExp(field + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
const [width, height] = [6000, 6000]
const picture = createPicture({ data: Buffer.alloc(width * height * 3, 100), width, height, channels: 3 })
const jpeg = await fromPicture(picture).jpeg({ quality: 80 }).toBuffer()
const before = memory('VmRSS')
const encoded = memory('VmHWM')
const scorer = createScorer(picture)
const scores = []
for (let round = 0; round < 2; round++) scores.push(await scorer.score(jpeg))
console.log(JSON.stringify({ grown: memory('VmHWM') - Math.max(before, encoded), picture: picture.data.length / 2 ** 20, scores }))
`

describe.skipIf(process.platform !== 'linux')('a very large picture', () => {
  it('is compared without its results being in memory as a whole', async () => {
    const { stdout, stderr } = await runProcess(process.execPath, {
      cwd: WORKSPACE,
      args: ['--input-type=module', '-e', PROGRAM],
      timeout: 150_000,
    })
    expect(stderr).toBe('')
    const { grown, picture, scores } = JSON.parse(stdout) as { grown: number; picture: number; scores: number[] }
    expect(scores).toEqual([100, 100])
    expect(grown).toBeLessThan(picture * 0.9)
  })
})
