import { readFile, stat, utimes, writeFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { graphic, photo, naming } from '@pixpress/testkit'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const images: Record<string, Buffer> = {}

beforeAll(async () => {
  images.photo = await photo(200, 150).jpeg(97)
  images.graphic = await graphic(160, 120).png()
})

beforeEach(() => folder.write({ 'src/a.jpg': images.photo!, 'src/deep/b.png': images.graphic! }))

const both = (): Promise<Buffer[]> => Promise.all([folder.read('src/a.jpg'), folder.read('src/deep/b.png')])
const originals = (name = ''): string => path.join(folder.path, '.cache/pixpress/originals', name)

describe('compress in place', () => {
  it('leaves files as they are that cannot have so few bytes at the promise, and ends with 1', async () => {
    const { code, stdout } = await folder.run(['compress', 'src', '--max-bytes', '50'])
    expect(code).toBe(1)
    expect(stdout).toEqual(naming('a.jpg', '50 B'))
    expect(await both()).toEqual([images.photo, images.graphic])
    const within = await folder.run(['compress', 'src/a.jpg', '--max-bytes', '1500'])
    expect(within).toMatchObject({ code: 1, stdout: expect.stringContaining('1.5 kB') })
    expect(within.stdout.replace(/\s+/g, ' ')).toMatch(/scores [\d.]+, below the 80 that is promised\. Allow more/)
    expect(await both()).toEqual([images.photo, images.graphic])
    const dry = await folder.run(['compress', 'src/a.jpg', '--max-bytes', '50', '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({
      images: [],
      failures: [{ source: 'src/a.jpg', code: 'BELOW_PROMISE' }],
    })
  })

  it('replaces a file whose result keeps a lower promise that was asked for', async () => {
    const args = ['compress', 'src/a.jpg', '--max-bytes', '4kB', '--quality', '10', '--quiet']
    expect(await folder.run(args)).toMatchObject({ code: 0, stderr: '' })
    expect((await folder.read('src/a.jpg')).length).toBeLessThanOrEqual(4000)
  })

  it('has the results that miss their target with --out, and says what they miss', async () => {
    const { code, stderr } = await folder.run(['compress', 'src/a.jpg', '--max-bytes', '1500', '--out', 'small'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/a\.jpg: (?:Scores .* to be within 1500 bytes|Nothing is within 1500 bytes)/)
    expect((await folder.read('small/a.jpg')).length).toBeLessThan(images.photo!.length / 2)
    expect(await folder.read('src/a.jpg')).toEqual(images.photo)
  })

  it('does not put such a result in the place of another file either', async () => {
    const older = await graphic(40, 30).png()
    await folder.write({ 'src/a.webp': older })
    const args = ['compress', 'src/a.jpg', '--convert', 'webp', '--overwrite', '--max-bytes', '300']
    expect((await folder.run(args)).code).toBe(1)
    expect(await folder.read('src/a.webp')).toEqual(older)
  })

  it('lists the files that it replaces, whether they were worked on now or before', async () => {
    const cold = await folder.run(['compress', 'src'])
    await folder.write({ 'src/a.jpg': images.photo!, 'src/deep/b.png': images.graphic! })
    const warm = await folder.run(['compress', 'src'])
    for (const { stdout } of [cold, warm]) {
      expect(stdout).toMatch(/^ {2}src\/a\.jpg .* -\d+%/m)
      expect(stdout).toMatch(/^ {2}src\/deep\/b\.png .* -\d+%/m)
    }
    expect(warm.stdout).toContain('2 cached')
    expect((await folder.run(['compress', 'src'])).stdout).toMatch(/^pixpress {2}2 images, all cached [^\n]*\n$/)
  })

  it('can be undone without preparation, several runs on', async () => {
    const first = await folder.run(['compress', 'src'])
    expect(first.stdout).toEqual(naming('2 originals', '30 days', "'pixpress restore'"))
    await folder.run(['compress', 'src', '--quality', '20', '--force', '--quiet'])
    const compressed = await both()
    expect(compressed[0]!.length).toBeLessThan(images.photo!.length)
    expect(await folder.run(['restore'])).toMatchObject({ code: 0, stdout: 'pixpress  2 files restored\n', stderr: '' })
    expect(await both()).toEqual([images.photo, images.graphic])
  })

  it.each([[['--no-cache']], [['--cache-dir', 'kept']]])('can be undone with %j', async (flags) => {
    await folder.run(['compress', 'src', '--quiet', ...flags])
    const where = flags[1] === undefined ? [] : flags
    expect((await folder.run(['restore', 'src/a.jpg', ...where])).stdout).toBe('pixpress  1 file restored\n')
    expect((await both())[0]).toEqual(images.photo)
    expect((await both())[1]!.length).toBeLessThan(images.graphic!.length)
  })

  it('can be undone where --out is the folder of the sources', async () => {
    await folder.run(['compress', 'src', '--out', 'src', '--quiet'])
    expect((await both())[0]!.length).toBeLessThan(images.photo!.length)
    await folder.run(['restore'])
    expect(await both()).toEqual([images.photo, images.graphic])
  })

  it('keeps nothing with --no-backup, --dry-run or another folder', async () => {
    await folder.run(['compress', 'src', '--dry-run'])
    await folder.run(['compress', 'src', '--out', 'dist'])
    await folder.run(['compress', 'src', '--out', 'dist', '--quality', '30'])
    const { stdout } = await folder.run(['compress', 'src', '--no-backup'])
    expect(stdout).not.toContain('restore')
    await expect(stat(originals())).rejects.toThrow('ENOENT')
    expect(await folder.run(['restore'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing is kept'),
    })
  })

  it('keeps originals out of Git, and drops those of a month ago with the next run', async () => {
    await folder.run(['compress', 'src', '--quiet'])
    expect(await readFile(originals('.gitignore'), 'utf8')).toBe('*\n')
    const list = await readFile(originals('pixpress-backup.jsonl'), 'utf8')
    const [a, b] = list
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; original: string })
    const monthAgo = new Date(Date.now() - 31 * 86_400_000)
    for (const { original } of [a!, b!]) await utimes(originals(`originals/${original}`), monthAgo, monthAgo)
    await folder.write({ 'src/c.png': await graphic(90, 80).png() })
    await folder.run(['compress', 'src/c.png', '--quiet'])
    expect((await folder.run(['restore', '--json'])).stdout).toBe(
      '{"files":[{"file":"src/c.png","state":"restored"}]}\n',
    )
    for (const { original } of [a!, b!])
      await expect(stat(originals(`originals/${original}`))).rejects.toThrow('ENOENT')
  })

  it('replaces nothing where originals cannot be kept, and says so once', async () => {
    await mkdir(path.dirname(originals()), { recursive: true })
    await writeFile(originals(), 'a file in the place of the folder')
    const { code, stderr } = await folder.run(['compress', 'src'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^pixpress: .* '.*': .*--no-backup\.\n$/)
    expect(await both()).toEqual([images.photo, images.graphic])
  })
})
