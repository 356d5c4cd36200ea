import { appendFile, chmod, readFile, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises'
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

const compress = (...args: string[]): ReturnType<typeof folder.run> =>
  folder.run(['compress', 'src', '--backup', 'kept', '--quiet', ...args])
const restore = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['restore', 'kept', ...args])
const at = (name: string): string => path.join(folder.path, name)
const both = (): Promise<Buffer[]> => Promise.all([folder.read('src/a.jpg'), folder.read('src/deep/b.png')])

describe('restore', () => {
  it('brings every file back byte for byte, with its permissions', async () => {
    await chmod(at('src/a.jpg'), 0o640)
    await compress()
    const [a, b] = await both()
    expect(a!.length).toBeLessThan(images.photo!.length)
    expect(b!.length).toBeLessThan(images.graphic!.length)
    await chmod(at('src/a.jpg'), 0o666)
    expect(await restore('--dry-run')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files') })
    expect(await both()).toEqual([a, b])
    expect(await restore()).toEqual(
      expect.objectContaining({ code: 0, stdout: 'pixpress  2 files restored\n', stderr: '' }),
    )
    expect(await both()).toEqual([images.photo, images.graphic])
    if (process.platform !== 'win32') expect((await stat(at('src/a.jpg'))).mode & 0o777).toBe(0o640)
    expect((await restore()).stdout).toEqual(naming('0 files', '2'))
  })

  it('leaves a file that was changed since, says so and ends with 1; --force replaces it', async () => {
    await compress()
    await writeFile(at('src/a.jpg'), 'another picture')
    const { code, stdout, stderr } = await restore()
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'pixpress  1 file restored, 1 left\n' })
    expect(stderr).toEqual(naming('src/a.jpg', '--force'))
    expect(await both()).toEqual([Buffer.from('another picture'), images.graphic])
    expect((await restore('--force')).code).toBe(0)
    expect(await both()).toEqual([images.photo, images.graphic])
  })

  it('restores the files and folders that are named, and refuses others', async () => {
    await compress()
    const compressed = await both()
    expect((await restore('src/deep', '--json')).stdout).toBe(
      '{"files":[{"file":"src/deep/b.png","state":"restored"}]}\n',
    )
    expect(await both()).toEqual([compressed[0], images.graphic])
    expect(await restore('src/c.png')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'src/c.png'"),
    })
  })

  it('leaves out what --exclude and patterns with an exclamation mark name, and counts nothing of it', async () => {
    await compress()
    const compressed = await both()
    expect(await restore('--exclude', 'deep')).toMatchObject({ code: 0, stdout: 'pixpress  1 file restored\n' })
    expect(await both()).toEqual([images.photo, compressed[1]])
    await compress()
    expect((await restore('!src/a.jpg', '--json')).stdout).toBe(
      '{"files":[{"file":"src/deep/b.png","state":"restored"}]}\n',
    )
    expect(await both()).toEqual([compressed[0], images.graphic])
    expect((await restore('!*')).stdout).toBe('pixpress  0 files restored\n')
  })

  it('brings back the first original after several runs', async () => {
    await compress()
    const [first] = await both()
    await compress('--quality', '20', '--force')
    const [second] = await both()
    expect(second!.length).toBeLessThan(first!.length)
    await restore()
    expect(await both()).toEqual([images.photo, images.graphic])
  })

  it('brings back what somebody wrote between two runs', async () => {
    await compress()
    const another = await photo(120, 90).jpeg(98)
    await writeFile(at('src/a.jpg'), another)
    await compress()
    expect((await both())[0]!.length).toBeLessThan(another.length)
    await restore()
    expect(await both()).toEqual([another, images.graphic])
  })

  it('brings back what --convert --overwrite replaced', async () => {
    const older = await graphic(40, 30).png()
    await folder.write({ 'src/a.webp': older })
    await folder.run(['compress', 'src/a.jpg', '--convert', 'webp', '--overwrite', '--backup', 'kept', '--quiet'])
    expect((await folder.read('src/a.webp')).equals(older)).toBe(false)
    await restore('src/a.webp')
    expect(await folder.read('src/a.webp')).toEqual(older)
  })

  it('goes on after a list that a crash cut off, and takes nothing of the backup for an image', async () => {
    for (const name of ['src/a.jpg', 'src/deep']) await folder.run(['compress', name, '--backup', 'kept', '--quiet'])
    const list = at('kept/pixpress-backup.jsonl')
    await truncate(list, (await stat(list)).size - 20)
    await writeFile(at('src/deep/b.png'), images.graphic!)
    expect(await folder.run(['compress', '.', '--backup', 'kept', '--quiet'])).toMatchObject({ code: 0, stderr: '' })
    await restore()
    expect(await both()).toEqual([images.photo, images.graphic])
    for (const name of await readdir(at('kept/originals'))) expect(name).toMatch(/^[0-9a-f]{64}$/)
  })

  it('may lie among the files', async () => {
    await folder.run(['compress', 'src', '--backup', 'src', '--quiet'])
    expect((await both())[0]!.length).toBeLessThan(images.photo!.length)
    await folder.run(['restore', 'src'])
    expect(await both()).toEqual([images.photo, images.graphic])
  })

  it('can be moved together with the files', async () => {
    await compress()
    for (const name of ['src', 'kept']) {
      await folder.write({ 'moved/here.txt': '' })
      await rename(at(name), at(`moved/${name}`))
    }
    expect((await folder.run(['restore', 'moved/kept'])).stdout).toBe('pixpress  2 files restored\n')
    expect(await readFile(at('moved/src/a.jpg'))).toEqual(images.photo)
  })

  it('never writes a damaged original', async () => {
    await compress()
    const compressed = await both()
    for (const name of await readdir(at('kept/originals'))) await appendFile(at(`kept/originals/${name}`), 'x')
    const { code, stderr } = await restore()
    expect(code).toBe(1)
    expect(stderr).toContain('src/a.jpg')
    expect(await both()).toEqual(compressed)
  })

  it('refuses a folder without a backup', async () => {
    expect(await folder.run(['restore', 'src'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'src'"),
    })
    expect((await folder.run(['restore'])).code).toBe(2)
  })
})

describe('--backup', () => {
  it('keeps nothing of what is not replaced', async () => {
    expect((await compress('--dry-run')).code).toBe(0)
    expect((await compress('--min-saving', '99')).code).toBe(0)
    expect(await folder.files()).toEqual(['src/a.jpg', 'src/deep/b.png'])
  })

  it('leaves a file as it is whose original cannot be kept', async () => {
    await folder.write({ kept: 'a file in the place of the folder' })
    const { code, stderr } = await compress()
    expect(code).toBe(1)
    expect(stderr).toContain('src/a.jpg: ')
    expect(await both()).toEqual([images.photo, images.graphic])
  })
})
