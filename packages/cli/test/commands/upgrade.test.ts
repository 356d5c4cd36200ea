import { createHash } from 'node:crypto'
import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import { photo, naming } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

interface Line {
  readonly source: string
  readonly engine: number
  readonly key: string
  readonly bytes: number
  readonly result: string
}

const lock = async (): Promise<string> => (await folder.read('pixpress.lock')).toString()
const lines = async (): Promise<Line[]> =>
  (await lock())
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)
const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')

/** Makes a line the work of an older engine, whose result the cache still has. */
async function aged(line: Line): Promise<Line> {
  const cache = createFileCache({ dir: path.join(folder.path, '.cache/pixpress') })
  const entry = (await cache.get(line.key))!
  const data = new Uint8Array([...entry.data, 0])
  const key = sha256(`older ${line.key}`)
  await cache.set(key, {
    meta: { ...entry.meta, info: { ...(entry.meta['info'] as object), size: data.length } },
    data,
  })
  return { ...line, engine: line.engine - 1, key, bytes: data.length, result: sha256(data) }
}

const write = (all: readonly Line[]): Promise<void> =>
  folder.write({ 'pixpress.lock': `{"lock":1}\n${all.map((line) => `${JSON.stringify(line)}\n`).join('')}` })

beforeEach(async () => {
  await folder.write({ 'a.jpg': await photo(120, 90, 1).jpeg(98), 'b.jpg': await photo(64, 48, 2).jpeg(97) })
})

describe('pixpress upgrade', () => {
  it('makes the lock where there is none, which compress fills then', async () => {
    expect(await folder.run(['upgrade'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pixpress.lock'),
    })
    expect(await lock()).toBe('{"lock":1}\n')
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'small', '--dry-run'])
    expect(await lines()).toEqual([])
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'small'])
    expect((await lines()).map(({ source }) => source)).toEqual(['a.jpg', 'b.jpg'])
    expect((await lines())[0]!.result).toBe(sha256(await folder.read('small/a.jpg')))
    expect((await folder.run(['upgrade'])).stdout).toEqual(naming('pixpress.lock', '2 results'))
  })

  it("makes older engines' results anew, and nothing else; until then compress uses them", async () => {
    await folder.run(['upgrade'])
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'small'])
    const before = await lock()
    const [a, b] = await lines()
    await write([await aged(a!), b!])
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'kept'])
    const [older] = await lines()
    expect(sha256(await folder.read('kept/a.jpg'))).toBe(older!.result)
    expect(older!.result).not.toBe(a!.result)
    expect((await folder.run(['upgrade', '--dry-run'])).stdout).toEqual(naming('pixpress.lock', '1', '2 results'))
    expect((await lines())[0]).toEqual(older)
    const { code, stdout } = await folder.run(['upgrade', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      made: 1,
      before: older!.bytes,
      after: a!.bytes,
      held: 1,
      left: 0,
      outdated: 0,
      failures: [],
    })
    expect(await lock()).toBe(before)
  })

  it('leaves lines of images that have changed to the next build, and says how many', async () => {
    await folder.run(['upgrade'])
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'small'])
    const before = await lock()
    await folder.write({ 'a.jpg': await photo(120, 90, 5).jpeg(98) })
    expect((await folder.run(['upgrade'])).stdout).toEqual(naming('pixpress.lock', '1 result', '1 result'))
    expect(await lock()).toBe(before)
  })

  it('is refused with files, and without a lock by the configuration', async () => {
    expect(await folder.run(['upgrade', 'a.jpg'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no files') as string,
    })
    await folder.write({ 'pixpress.config.mjs': 'export default { lock: false }\n' })
    expect(await folder.run(['upgrade'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'lock: false'") as string,
    })
  })
})

describe('pixpress compress with a lock', () => {
  it('keeps the line of a file that it has replaced by its result', async () => {
    await folder.run(['upgrade'])
    const source = sha256(await folder.read('a.jpg'))
    await folder.run(['compress', 'a.jpg'])
    const before = await lock()
    expect(await lines()).toMatchObject([
      { source: 'a.jpg', sha256: source, result: sha256(await folder.read('a.jpg')) },
    ])
    await folder.run(['compress', 'a.jpg'])
    expect(await lock()).toBe(before)
  })

  it('ends with one sentence for a lock that holds a conflict, and writes no image', async () => {
    await folder.write({ 'pixpress.lock': '{"lock":1}\n=======\n' })
    const before = await folder.read('a.jpg')
    expect(await folder.run(['compress', 'a.jpg'])).toMatchObject({
      code: 1,
      stderr: naming('2', 'pixpress.lock') as string,
    })
    expect(await folder.read('a.jpg')).toEqual(before)
  })
})

describe('pixpress check with a lock', () => {
  it('ends with code 3 when an image is missing in it, or is another than it says', async () => {
    await folder.run(['compress', '.'])
    const small = ['check', '--min-saving', '100']
    expect(await folder.run(small)).toMatchObject({ code: 0 })
    await folder.run(['upgrade'])
    expect(await folder.run(small)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('pixpress.lock') as string,
    })
    await folder.run(['compress', '.'])
    expect(await folder.run(small)).toMatchObject({ code: 0 })
    await folder.write({ 'a.jpg': await photo(120, 90, 9).jpeg(98) })
    const { code, stdout } = await folder.run(small)
    expect(code).toBe(3)
    expect(stdout).toEqual(naming('a.jpg', 'pixpress.lock'))
    expect(stdout).not.toContain('b.jpg\n')
    await folder.run(['compress', '.'])
    expect(await folder.run(small)).toMatchObject({ code: 0 })
  })

  it('ends with code 3 when the cache has another result than the one in the lock', async () => {
    await folder.run(['upgrade'])
    await folder.run(['compress', 'a.jpg', 'b.jpg', '--out', 'small'])
    const [a, b] = await lines()
    await write([{ ...a!, result: sha256('another') }, b!])
    const { code, stdout } = await folder.run(['check', 'a.jpg', 'b.jpg', '--min-saving', '100'])
    expect(code).toBe(3)
    expect(stdout).toEqual(naming('a.jpg', 'JPEG'))
    expect(stdout).not.toContain('b.jpg')
  })
})
