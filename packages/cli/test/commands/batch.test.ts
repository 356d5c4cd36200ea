import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { detectType } from '@pixpress/core'
import { graphic, photo, requireTool, startRedis, naming } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'
import type { Ended } from '../command-line.ts'

const folder = useFolder()
let picture: Buffer
let drawing: Buffer

beforeAll(async () => {
  picture = await photo(60, 40).jpeg(97)
  drawing = await graphic(60, 40).png()
})

const batch = (...args: string[]): Promise<Ended> => folder.run(['batch', '--from', 'in', '--to', 'out', ...args])

interface Outcome {
  readonly batch: string
  readonly chunks: { readonly all: number; readonly done: number }
  readonly images: Readonly<Record<string, number>>
  readonly failures: readonly { readonly key: string; readonly code: string }[]
}

const parsed = ({ stdout }: Ended): Outcome => JSON.parse(stdout) as Outcome

/** Names of results, without the records. */
const results = async (): Promise<string[]> =>
  (await folder.files()).filter((name) => name.startsWith('out/') && !name.includes('.pixpress-batch'))

describe('pixpress batch', () => {
  it('writes results under the names of their sources, and does nothing a second time', async () => {
    await folder.write({ 'in/a.jpg': picture, 'in/deep/b.png': drawing, 'in/note.txt': 'no image' })
    const first = await batch('--convert', 'webp')
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^pixpress {2}batch [\da-f]{16}: 2 of 2 images done: .*%\)\n$/) as string,
    })
    expect(await results()).toEqual(['out/a.webp', 'out/deep/b.webp'])
    expect(detectType(await folder.read('out/a.webp'))).toBe('image/webp')
    const files = await folder.files()
    const again = await batch('--convert', 'webp')
    expect(again.stdout).toBe(first.stdout)
    expect(await folder.files()).toEqual(files)
  })

  it('takes what was added or changed in the next run', async () => {
    await folder.write({ 'in/a.jpg': picture })
    await batch()
    await folder.write({ 'in/b.png': drawing })
    const second = parsed(await batch('--json'))
    expect(second.images).toMatchObject({ all: 2, done: 2, written: 1, present: 1 })
    await folder.write({ 'in/a.jpg': await photo(60, 40, 2).jpeg(97) })
    const third = await batch('--json')
    expect(third.code).toBe(1)
    expect(parsed(third).failures).toMatchObject([{ key: 'a.jpg', code: 'IO_FAILED' }])
    expect(third.stderr).toBe('')
    expect(parsed(await batch('--json', '--overwrite')).images).toMatchObject({ done: 2, failed: 0 })
  })

  it('names what failed, with its reason, and ends with 1', async () => {
    await folder.write({ 'in/a.jpg': picture, 'in/bad.png': 'no image' })
    const { code, stderr, stdout } = await batch()
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(', 1 failed\n') as string })
    expect(stderr).toContain('bad.png')
    const status = await folder.run(['batch', '--to', 'out', '--status'])
    expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining('pixpress: bad.png: ') as string })
  })

  it('says how far the batches of a destination are', async () => {
    await folder.write({ 'in/a.jpg': picture, 'other/b.png': drawing })
    await batch()
    await folder.run(['batch', '--from', 'other', '--to', 'out'])
    const { code, stdout } = await folder.run(['batch', '--to', 'out', '--status'])
    expect({ code, lines: stdout.split('\n').filter((line) => line.startsWith('batch ')) }).toEqual({
      code: 0,
      lines: expect.arrayContaining([
        expect.stringMatching(`from ${path.join(folder.path, 'in')}$`),
        expect.stringMatching(`from ${path.join(folder.path, 'other')}$`),
      ]) as string[],
    })
    const one = await folder.run(['batch', '--from', 'other', '--to', 'out', '--status', '--json'])
    expect(parsed(one).images).toMatchObject({ all: 1, done: 1 })
    expect(await folder.run(['batch', '--to', 'none', '--status'])).toMatchObject({ code: 2 })
  })

  it('follows the configuration: operations, patterns and overrides', async () => {
    const config = {
      convert: { type: 'image/webp' },
      exclude: ['drafts/**'],
      overrides: [{ include: 'logos/**', convert: { type: 'image/png' } }],
    }
    await folder.write({
      'pixpress.config.mjs': `export default ${JSON.stringify(config)}\n`,
      'in/a.jpg': picture,
      'in/logos/b.png': drawing,
      'in/drafts/c.jpg': picture,
      'in/old/d.jpg': picture,
    })
    expect(await batch('--exclude', 'old')).toMatchObject({ code: 0 })
    expect(await results()).toEqual(['out/a.webp', 'out/logos/b.png'])
  })

  it('names results by a template, and passes over them where they are below the source', async () => {
    await folder.write({ 'in/a.jpg': picture })
    const args = ['batch', '--from', 'in', '--to', 'in/small', '--name', '{name}-{width}.{ext}', '--width', '30']
    expect(await folder.run(args)).toMatchObject({ code: 0 })
    expect(await folder.files()).toContain('in/small/a-30.jpg')
    expect((await folder.run(args)).stdout).toContain('1 of 1 images done')
  })

  it('does each chunk in one of the parts', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `in/${index}.png`)
    await folder.write(Object.fromEntries(names.map((name) => [name, drawing])))
    const parts = ['1/3', '2/3', '3/3'].map((shard) => () => batch('--chunk', '4', '--shard', shard, '--json'))
    let done = 0
    for (const run of parts) {
      const { images } = parsed(await run())
      expect(images['done']).toBeGreaterThanOrEqual(done)
      done = images['done']!
    }
    expect(done).toBe(24)
    expect(await results()).toHaveLength(24)
  })

  it('takes the part of an array from the environment', async () => {
    await folder.write({ 'in/a.png': drawing })
    const env = { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_COUNT: '1' }
    const ended = await folder.run(['batch', '--from', 'in', '--to', 'out', '--shard', 'auto'], { env })
    expect(ended).toMatchObject({ code: 0 })
    expect(await results()).toEqual(['out/a.png'])
  })

  it('estimates hours and money from a sample, and writes nothing', async () => {
    await folder.write({ 'in/a.jpg': picture, 'in/b.png': drawing })
    const text = await batch('--dry-run')
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 images, .*\nsample of 2: /) as string })
    const json = await batch('--dry-run', '--json', '--price', '3600', '--sample', '1')
    const { hours, seconds, money, requests, sample } = JSON.parse(json.stdout) as {
      hours: number
      seconds: number
      sample: number
      money: { processors: number; requests: number }
      requests: object
    }
    expect({ sample, requests }).toEqual({ sample: 1, requests: { writes: 0, reads: 0 } })
    expect(seconds).toBeGreaterThan(0)
    expect(money).toEqual({ processors: expect.closeTo(3600 * hours, 6) as number, requests: 0 })
    expect(await results()).toEqual([])
    expect((await folder.files()).some((name) => name.includes('.pixpress-batch'))).toBe(false)
  })

  it.each([
    [['--from', 'in'], 'A batch needs --from and --to: pixpress batch --from photos --to s3://bucket/photos.'],
    [['--from', 'in', '--to', 'in'], "'--to' is '--from': results never take the place of their sources."],
    [['--from', 'none', '--to', 'out'], "or s3://bucket/folder for '--from' but received '"],
    [['--from', 'in', '--to', 'gs://shop'], "for '--to' but received 'gs://shop'"],
    [['--from', 'in', '--to', 's3://shop'], 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    [['--from', 'in', '--to', 'out', '--queue', 'redis://h', '--shard', '1/2'], '--queue and --shard exclude'],
    [['--from', 'in', '--to', 'out', '--detach'], '--detach is for --queue'],
    [['--from', 'in', '--to', 'out', '--price', '1'], '--price is for --dry-run.'],
    [['--from', 'in', '--to', 'out', '--dry-run', '--price', 'much'], "Expected a price such as '0.04'"],
    [['--from', 'in', '--to', 'out', '--width', '1,2'], 'A batch gives each image one result'],
    [['--from', 'in', '--to', 'out', '--queue', 'http://h'], 'Expected redis://host:port or rediss://host:port'],
    [['--from', 'in', '--to', 'out', '--form', 'x'], "Unknown option '--form'. Did you mean '--from'?"],
    [['in', '--to', 'out'], "Unexpected 'in': the images are given with --from."],
    [['--status'], '--status needs --to, the place of the records.'],
  ])('refuses %j', async (args, message) => {
    await folder.write({ 'in/a.png': drawing })
    const { code, stderr } = await folder.run(['batch', ...args])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string })
  })
})

describe('pixpress work', () => {
  it('needs a queue that answers', async () => {
    expect(await folder.run(['work'])).toMatchObject({
      code: 2,
      stderr: naming('--queue', 'PIXPRESS_QUEUE'),
    })
    const password = randomBytes(8).toString('hex')
    const { code, stderr } = await folder.run(['work', '--queue', `redis://:${password}@127.0.0.1:1`])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  })

  it.skipIf(requireTool('redis-server') === undefined)(
    'does what a batch has listed, until nothing is left',
    async () => {
      const redis = await startRedis()
      try {
        await folder.write({ 'in/a.jpg': picture, 'in/b.png': drawing, 'in/bad.png': 'no image' })
        const env = { PIXPRESS_QUEUE: redis.url }
        const listed = await folder.run(['batch', '--from', 'in', '--to', 'out', '--detach'], { env })
        expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 chunks') as string })
        const worked = await folder.run(['work', '--until-empty'], { env })
        expect(worked).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(
            /^chunk [\da-f]{8}: 3 images, 2 encoded, .*, 1 failed\npixpress {2}1 chunk done/,
          ) as string,
        })
        const ended = await folder.run(['batch', '--from', 'in', '--to', 'out', '--json'], { env })
        expect(parsed(ended)).toMatchObject({ images: { all: 3, done: 3, failed: 1 }, failures: [{ key: 'bad.png' }] })
        expect(await redis.ask('KEYS *bad*')).toBe('*0')
      } finally {
        await redis.stop()
      }
    },
  )
})
