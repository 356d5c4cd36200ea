import { optimize } from '@pixpress/core'
import { chmod, lstat, readFile, stat, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { detectType } from '@pixpress/core'
import type { Report } from '@pixpress/core/report'
import {
  decode,
  graphic,
  naming,
  perceptualDistance,
  photo,
  photoInHdr,
  startImageService,
  transparentGraphic,
} from '@pixpress/testkit'
import type { ImageService } from '@pixpress/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COMPRESS_FLAGS } from '../../src/compress/flags.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const images: Record<string, Buffer> = {}

beforeAll(async () => {
  images.photo = await photo(200, 150).jpeg(97)
  images.graphic = await graphic(160, 120).png()
  images.cutout = await transparentGraphic(160, 120).png()
})

const compress = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['compress', ...args])

async function report(...args: string[]): Promise<Report> {
  return JSON.parse((await compress(...args, '--json')).stdout) as Report
}

/** Returns a report's rows without the clock. */
const timeless = ({ images: rows }: Report): object[] =>
  rows.map((row) => ({ ...row, milliseconds: 0, work: { ...row.work, milliseconds: 0 } }))

const cached = async (...args: string[]): Promise<boolean> =>
  (await report('a.jpg', '--dry-run', ...args)).images[0]!.cached

describe('in place', () => {
  it('replaces what gets smaller, and nothing the second time', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'deep/b.png': images.graphic! })
    const { code, stdout, stderr } = await compress('.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^pixpress {2}2 images /)
    const first = await Promise.all([folder.read('a.jpg'), folder.read('deep/b.png')])
    expect(first[0].length).toBeLessThan(images.photo!.length)
    expect(await perceptualDistance(first[0], images.photo!)).toBeLessThan(3)
    expect(await perceptualDistance(first[1], images.graphic!)).toBeLessThan(1)
    expect(await folder.files()).toEqual(['a.jpg', 'deep/b.png'])

    const times = async (): Promise<number[]> =>
      Promise.all(['a.jpg', 'deep/b.png'].map(async (name) => (await stat(path.join(folder.path, name))).mtimeMs))
    const before = await times()
    const again = await report('.')
    expect(again.totals).toMatchObject({ images: 2, encoded: 0, saved: 0 })
    expect(again.images.map(({ written, reason }) => [written, reason])).toEqual([
      [false, 'finished'],
      [false, 'finished'],
    ])
    expect(await times()).toEqual(before)
    expect(await Promise.all([folder.read('a.jpg'), folder.read('deep/b.png')])).toEqual(first)
  })

  it.skipIf(process.platform === 'win32')('keeps permissions and the link to a file', async () => {
    await folder.write({ 'real/a.jpg': images.photo! })
    await chmod(path.join(folder.path, 'real/a.jpg'), 0o640)
    await symlink('real/a.jpg', path.join(folder.path, 'link.jpg'))
    await compress('link.jpg')
    expect((await folder.read('real/a.jpg')).length).toBeLessThan(images.photo!.length)
    expect((await stat(path.join(folder.path, 'real/a.jpg'))).mode & 0o777).toBe(0o640)
    expect((await lstat(path.join(folder.path, 'link.jpg'))).isSymbolicLink()).toBe(true)
  })

  it('leaves a read-only file alone, and says so', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'out/a.jpg': 'older' })
    for (const name of ['a.jpg', 'out/a.jpg']) await chmod(path.join(folder.path, name), 0o444)
    for (const args of [[], ['--out', 'out']]) {
      const { code, stdout } = await compress('a.jpg', ...args)
      expect(code).toBe(1)
      expect(stdout).toContain('read-only')
    }
    expect(await folder.read('a.jpg')).toEqual(images.photo)
    expect(await folder.read('out/a.jpg')).toEqual(Buffer.from('older'))
  })

  it('--preserve-times keeps when a file was modified', async () => {
    const modified = new Date('2001-02-03T04:05:06Z')
    for (const args of [[], ['--out', 'out']]) {
      await folder.write({ 'a.jpg': images.photo! })
      await utimes(path.join(folder.path, 'a.jpg'), modified, modified)
      await compress('a.jpg', '--preserve-times', ...args)
      const written = path.join(folder.path, args[1] ?? '.', 'a.jpg')
      expect((await stat(written)).mtime).toEqual(modified)
      expect((await stat(written)).size).toBeLessThan(images.photo!.length)
    }
  })

  it('leaves a broken image alone, goes on, and ends with 1', async () => {
    const broken = images.photo!.subarray(0, 900)
    await folder.write({ 'a.jpg': broken, 'b.jpg': images.photo!, 'c.png': 'no image' })
    const { code, stdout } = await compress('.')
    expect(code).toBe(1)
    expect(stdout).toContain('1 broken image')
    expect(stdout).toContain('1 file')
    expect(stdout).toContain('a.jpg')
    expect(await folder.read('a.jpg')).toEqual(Buffer.from(broken))
    expect((await folder.read('b.jpg')).length).toBeLessThan(images.photo!.length)
  })

  it('says so where there is nothing', async () => {
    await folder.write({ 'notes.txt': 'text' })
    expect(await compress('.')).toMatchObject({ code: 0, stdout: 'pixpress  no images\n' })
  })
})

describe('--out', () => {
  it('writes everything below the folder, small or not, and only what differs', async () => {
    const tiny = await graphic(4, 4).png()
    await folder.write({ 'src/a.jpg': images.photo!, 'src/icons/b.png': tiny, 'src/bad.png': 'no image' })
    const { code } = await compress('src', '--out', 'out')
    expect(code).toBe(1)
    expect(await folder.files()).toEqual([
      'out/a.jpg',
      'out/bad.png',
      'out/icons/b.png',
      'src/a.jpg',
      'src/bad.png',
      'src/icons/b.png',
    ])
    expect(await folder.read('src/a.jpg')).toEqual(images.photo)
    expect(await folder.read('out/bad.png')).toEqual(Buffer.from('no image'))
    expect((await folder.read('out/icons/b.png')).length).toBeLessThanOrEqual(tiny.length)
    const again = await report('src', '-o', 'out')
    expect(again.images.map(({ written }) => written)).toEqual([false, false])
  })

  it('gets no copy of what a frozen run lacks', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const frozen = await folder.run(['compress', 'a.jpg', '--out', 'out'], { env: { PIXPRESS_FROZEN: '1' } })
    expect([frozen.code, await folder.files()]).toEqual([1, ['a.jpg']])
  })

  it('refuses two files that would become one', async () => {
    await folder.write({ 'x/a.jpg': images.photo!, 'y/a.jpg': images.photo! })
    const { code, stderr } = await compress('x/a.jpg', 'y/a.jpg', '--out', 'out')
    expect(code).toBe(2)
    expect(stderr).toContain('would both become')
  })
})

describe('operations', () => {
  it('--convert puts the new file beside the old one', async () => {
    await folder.write({ 'a.png': images.graphic! })
    const { images: rows } = await report('a.png', '--convert', 'webp')
    expect(rows[0]).toMatchObject({ type: 'image/webp', inputType: 'image/png', output: 'a.webp' })
    expect(await folder.read('a.png')).toEqual(images.graphic)
    expect(detectType(await folder.read('a.webp'))).toBe('image/webp')
    expect((await report('a.png', '--convert', 'image/webp')).images[0]).toMatchObject({
      output: 'a.webp',
      written: false,
    })
  })

  it('--convert never takes the place of another file unless told', async () => {
    await folder.write({ 'a.png': images.graphic!, 'a.webp': 'precious' })
    const { code, stdout } = await compress('a.png', '--convert', 'webp')
    expect(code).toBe(1)
    expect(stdout.replace(/\s+/g, ' ')).toEqual(naming('--overwrite', '--out'))
    expect(await folder.read('a.webp')).toEqual(Buffer.from('precious'))
    expect((await compress('a.png', '--convert', 'webp', '--overwrite')).code).toBe(0)
    expect(detectType(await folder.read('a.webp'))).toBe('image/webp')
  })

  it('--convert of several takes the smallest, and tells apart equal names', async () => {
    await folder.write({ 'a.png': images.graphic!, 'a.jpg': images.photo! })
    await compress('.', '--convert', 'webp,avif', '--out', 'out')
    const names = await folder.files()
    expect(names.filter((name) => name.startsWith('out/'))).toHaveLength(2)
    expect(names.some((name) => /^out\/a_png\.(webp|avif)$|^out\/a\.png$/.test(name))).toBe(true)
    expect(names.some((name) => /^out\/a_jpg\.(webp|avif)$|^out\/a\.jpg$/.test(name))).toBe(true)
  })

  it('--lossless keeps every pixel', async () => {
    const source = await photo(60, 40).png()
    await folder.write({ 'a.png': source })
    const { images: rows } = await report('a.png', '--lossless', '--quality', 'small')
    expect(rows[0]).toMatchObject({ written: true })
    const [before, after] = await Promise.all([decode(source), decode(await folder.read('a.png'))])
    expect(Buffer.compare(after.pixels, before.pixels)).toBe(0)
  })

  it('--no-gain-map drops the HDR gain map that a JPEG keeps else', async () => {
    const source = await photoInHdr(120, 90)
    await folder.write({ 'a.jpg': source, 'b.jpg': source })
    await compress('a.jpg')
    await compress('b.jpg', '--no-gain-map')
    expect((await folder.read('a.jpg')).includes('21496')).toBe(true)
    expect((await folder.read('b.jpg')).includes('21496')).toBe(false)
  })

  it('--background flattens, so that a transparent image can be a JPEG', async () => {
    await folder.write({ 'a.png': images.cutout! })
    const { code, stdout } = await compress('a.png', '--convert', 'jpeg')
    expect(code).toBe(1)
    expect(stdout).toContain('has transparency')
    await compress('a.png', '--convert', 'jpg', '--background', '#ff8800')
    const { pixels, width } = await decode(await folder.read('a.jpg'))
    expect(width).toBe(160)
    expect(Math.abs(pixels[0]! - 255) + Math.abs(pixels[1]! - 0x88) + pixels[2]!).toBeLessThan(24)
  })

  it.each([
    [
      ['--width', '100'],
      [100, 75],
    ],
    [
      ['--max-width', '100'],
      [100, 75],
    ],
    [
      ['--height', '30'],
      [40, 30],
    ],
    [
      ['--width', '50', '--height', '50'],
      [50, 38],
    ],
    [
      ['--resize', 'fit', '--width', '100', '--height', '30'],
      [40, 30],
    ],
    [
      ['--resize', 'scale', '--width', '100'],
      [100, 75],
    ],
    [
      ['--resize', 'cover', '--width', '60', '--height', '60'],
      [60, 60],
    ],
    [
      ['--resize', 'thumb', '--width', '60', '--height', '60'],
      [60, 60],
    ],
  ])('%j resizes', async (args, size) => {
    await folder.write({ 'a.jpg': images.photo! })
    expect((await compress('a.jpg', ...args)).code).toBe(0)
    const { width, height } = await decode(await folder.read('a.jpg'))
    expect([width, height]).toEqual(size)
  })

  it('--quality asks for another score', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const sizes: number[] = []
    for (const quality of ['high', '75', 'balanced', 'small']) {
      sizes.push((await report('a.jpg', '--quality', quality, '--dry-run')).totals.after)
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(new Set(sizes).size).toBe(4)
  })

  it('refuses to lose detail a second time in place, unless given --force', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': images.graphic! })
    await compress('.', '--quality', '85')
    const first = await Promise.all([folder.read('a.jpg'), folder.read('b.png')])
    const refused = await compress('.', '--quality', '30')
    expect(refused.code).toBe(1)
    const said = refused.stdout.replace(/\s+/g, ' ')
    expect(said).toEqual(naming('a.jpg', '85'))
    expect(said).toContain('--force')
    expect(await folder.read('a.jpg')).toEqual(first[0])
    // An image that lost nothing in the first run may lose detail now.
    expect((await folder.read('b.png')).length).toBeLessThanOrEqual(first[1].length)
    const elsewhere = await compress('a.jpg', '--quality', '30', '--out', 'out')
    expect(elsewhere).toMatchObject({ code: 0, stderr: expect.stringContaining('lose detail') })
    expect((await compress('a.jpg', '--quality', '30', '--width', '100', '--dry-run')).stderr).toBe('')
    const forced = await compress('a.jpg', '--quality', '30', '--force')
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('lose detail') })
    expect((await folder.read('a.jpg')).length).toBeLessThan(first[0].length)
  })

  it('--max-bytes bounds the result', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const { images: rows } = await report('a.jpg', '--max-bytes', '3000')
    expect(rows[0]!.after).toBeLessThanOrEqual(3000)
    expect((await folder.read('a.jpg')).length).toBeLessThanOrEqual(3000)
    await folder.write({ 'a.jpg': images.photo! })
    expect((await report('a.jpg', '--max-bytes', '3kB')).images).toMatchObject([
      { after: rows[0]!.after, cached: true },
    ])
  })

  it('--effort takes time for bytes', async () => {
    await folder.write({ 'a.png': images.graphic! })
    const bytes: number[] = []
    for (const effort of ['max', 'fast']) {
      bytes.push((await report('a.png', '--convert', 'webp', '--effort', effort, '--dry-run')).totals.after)
    }
    expect(bytes[0]).toBeLessThanOrEqual(bytes[1]!)
  })

  it('--preserve keeps metadata', async () => {
    const source = await photo(64, 48).jpeg(95)
    await folder.write({ 'a.jpg': withCopyright(source) })
    await compress('a.jpg', '--preserve', 'copyright,creation')
    expect((await folder.read('a.jpg')).includes('by somebody')).toBe(true)
    await folder.write({ 'a.jpg': withCopyright(source) })
    await compress('a.jpg')
    expect((await folder.read('a.jpg')).includes('by somebody')).toBe(false)
  })
})

describe('--engine', () => {
  let service: ImageService
  beforeEach(async () => {
    service = await startImageService()
  })
  afterEach(() => service.close())

  it('has a service do the work, counts it, and does not ask twice', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': images.graphic! })
    const first = await report('.', '--engine', service.endpoint, '--key', 'test-key')
    expect(first.remote).toMatchObject({ compressions: 2, fallbacks: { local: 0, original: 0 } })
    expect(service.counts.get('test-key')).toBe(2)
    expect((await folder.read('a.jpg')).length).toBeLessThan(images.photo!.length)
    const { stdout } = await compress('.', '--engine', service.endpoint, '--key', 'test-key')
    expect(stdout).toContain('2 images, all cached')
    expect(service.counts.get('test-key')).toBe(2)
  })

  it('takes the key from the environment, and the service from the configuration', async () => {
    await folder.write({
      'a.jpg': images.photo!,
      'pixpress.config.mjs': `export default { engine: { endpoint: ${JSON.stringify(service.endpoint)} } }`,
    })
    const env = { PIXPRESS_KEY: 'test-key' }
    const { code, stdout } = await folder.run(['compress', 'a.jpg'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('1 compression used')
    expect(stdout).not.toContain('test-key')
    expect(service.counts.get('test-key')).toBe(1)
    await folder.run(['compress', 'a.jpg', '--engine', 'local', '--convert', 'webp'], { env })
    expect(service.counts.get('test-key')).toBe(1)
  })

  it('never gives the key of one service to another', async () => {
    const other = await startImageService({ keys: ['another-key'] })
    try {
      const engine = { endpoint: service.endpoint, key: 'test-key' }
      await folder.write({
        'a.jpg': images.photo!,
        'pixpress.config.mjs': `export default ${JSON.stringify({ engine })}`,
      })
      const refused = await compress('a.jpg', '--engine', other.endpoint)
      expect(refused).toMatchObject({
        code: 2,
        stderr: naming('--engine', 'PIXPRESS_KEY', '--key'),
      })
      expect(other.requests).toEqual([])
      await compress('a.jpg', '--engine', other.endpoint, '--key', 'another-key')
      expect(other.counts.get('another-key')).toBe(1)
      expect(JSON.stringify(other.requests.map(({ headers }) => headers))).not.toContain(btoa('api:test-key'))
    } finally {
      await other.close()
    }
  })

  it('works here when the service is away, and says so once', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': images.graphic! })
    await service.close()
    const { code, stderr, stdout } = await compress('.', '--engine', service.endpoint, '--key', 'test-key')
    expect(code).toBe(0)
    expect(stderr.match(/is not used/g)).toHaveLength(1)
    expect(stdout).toContain('2 done here')
    expect(stderr + stdout).not.toContain('test-key')
    service = await startImageService()
  })
})

describe('how it runs', () => {
  it('--dry-run shows all and writes nothing', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const { code, stdout } = await compress('.', '-n')
    expect(code).toBe(0)
    expect(stdout).toMatch(/a\.jpg .*→/)
    expect(stdout).toContain('Nothing was written: --dry-run.')
    expect(await folder.read('a.jpg')).toEqual(images.photo)
    const { images: rows } = await report('.', '--dry-run', '--out', 'out')
    expect(rows[0]).toMatchObject({ output: 'out/a.jpg', written: false })
    expect(await folder.files()).toEqual(['a.jpg'])
  })

  it('--quiet prints errors only', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': 'no image' })
    const { code, stdout, stderr } = await compress('.', '--quiet')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('b.png')
  })

  it('--html writes the report as a page', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    expect(await folder.run(['compress', 'a.jpg', '--html', 'pages/report.html'])).toMatchObject({ code: 0 })
    expect((await folder.read('pages/report.html')).toString()).toContain('a.jpg')
    const piped = await folder.run(['compress', '-', '--html', 'report.html'])
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('--html') as string })
  })

  it('--json prints one report', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': 'no image' })
    const { totals, images: rows, failures } = await report('.')
    expect(totals).toMatchObject({ images: 1, encoded: 1, failed: 1 })
    expect(rows[0]).toMatchObject({ source: 'a.jpg', output: 'a.jpg', written: true, kept: 'output', promise: 80 })
    expect(rows[0]!.milliseconds).toBeGreaterThan(0)
    expect(failures[0]).toMatchObject({ source: 'b.png', code: 'UNSUPPORTED_TYPE' })
  })

  it('prints what the work took for PIXPRESS_PROFILE, beside a report that tells it of each image', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const { stdout, stderr } = await folder.run(['compress', '.', '--json'], { env: { PIXPRESS_PROFILE: '1' } })
    const [row] = (JSON.parse(stdout) as Report).images
    expect(row?.work?.encodes['image/jpeg']).toBeGreaterThan(0)
    expect(row?.work?.milliseconds.total).toBeGreaterThan(0)
    expect(stderr).toMatch(/^pixpress {2}profile {2}1 worked on /m)
  })

  it("tells each image's file, why it was kept, and that encoding it again would lose detail", async () => {
    // A result of ours for a higher promise: for this one it would lose detail again, and save less than half.
    const { data } = await optimize(await photo(200, 150).png(), { quality: 86, convert: { type: 'image/jpeg' } })
    await folder.write({ 'a.jpg': data, 'b.jpg': await photo(200, 150).jpeg(20) })
    const { images: rows } = await report('.', '--dry-run')
    expect(rows.map(({ output, written, reason }) => [output, written, reason])).toEqual([
      ['a.jpg', false, 'second-loss'],
      ['b.jpg', false, 'smallest'],
    ])
    expect((await compress('.', '--no-cache')).stdout.replace(/\s+/g, ' ')).toMatch(/ 1 image [^:]* although/)
  })

  it('--no-cache and --cache-dir decide where results are kept', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    expect(await cached('--no-cache')).toBe(false)
    expect(await cached('--cache-dir', 'mine')).toBe(false)
    expect(await cached()).toBe(false)
    expect(await cached()).toBe(true)
    expect(await cached('--cache-dir', 'mine')).toBe(true)
    expect(await cached('--no-cache')).toBe(false)
  })

  it('--concurrency changes nothing but the time', async () => {
    await folder.write({ 'a.jpg': images.photo!, 'b.png': images.graphic! })
    const one = await report('.', '--dry-run', '--no-cache', '--concurrency', '1')
    const two = await report('.', '--dry-run', '--no-cache', '-j', '2')
    expect(timeless(one)).toEqual(timeless(two))
  })

  it('reads pixpress.config, which flags beat', async () => {
    await folder.write({
      'a.png': images.graphic!,
      'b.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
      'pixpress.config.ts': `export default {
        convert: { type: 'image/webp' as const }, exclude: '**/*.svg', cache: { dir: 'kept' }, publicDir: false }`,
    })
    expect((await report('.')).images.map(({ source, output }) => [source, output])).toEqual([['a.png', 'a.webp']])
    expect(await folder.files()).toContain('a.webp')
    expect((await folder.files()).some((name) => name.startsWith('kept/'))).toBe(true)
    const { images: rows } = await report('a.png', '--convert', 'avif')
    expect(rows[0]).toMatchObject({ type: 'image/avif' })
    await folder.write({ 'other.mjs': 'export default {}' })
    expect((await report('a.png', '--config', 'other.mjs', '--dry-run')).images[0]).toMatchObject({ type: 'image/png' })
  })

  it('honours overrides of pixpress.config, below its root', async () => {
    await folder.write({
      'site/a.png': images.graphic!,
      'site/icons/a.png': images.graphic!,
      'pixpress.config.mjs': `export default {
        root: 'site', convert: { type: 'image/avif' }, overrides: [{ include: 'icons/**', convert: { type: 'image/webp' } }] }`,
    })
    const { images: rows } = await report('site')
    expect(rows.map(({ output }) => output).sort()).toEqual(['site/a.avif', 'site/icons/a.webp'])
  })

  it('- reads standard input and writes standard output', async () => {
    const { code, bytes, stderr } = await folder.run(['compress', '-', '--convert', 'webp'], { stdin: images.photo! })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(detectType(bytes)).toBe('image/webp')
    const broken = await folder.run(['compress', '-'], { stdin: Buffer.from('no image') })
    expect(broken).toMatchObject({ code: 1, stdout: '' })
    expect(broken.stderr).toContain('a known type')
    expect(await folder.files()).toEqual([])
  })

  it('--watch goes on with what is added or changed, until it is stopped', async () => {
    await folder.write({ 'src/a.png': images.graphic! })
    const stop = new AbortController()
    let seen = ''
    const until = async (text: string): Promise<void> => {
      for (let waited = 0; !seen.includes(text); waited += 50) {
        if (waited > 120_000) throw new Error(`'${text}' was never printed, but: ${seen}`)
        await delay(50)
      }
    }
    const running = folder.run(['compress', 'src', '--watch'], {
      signal: stop.signal,
      onOutput: (text) => (seen += text),
    })
    await until('waiting for changes')
    await folder.write({ 'src/deep/b.jpg': images.photo!, 'src/notes.txt': 'text' })
    await until('src/deep/b.jpg')
    await folder.write({ 'src/c.png': 'no image' })
    await until('src/c.png: The content is not an image')
    stop.abort('SIGINT')
    expect((await running).code).toBe(0)
    expect((await folder.read('src/deep/b.jpg')).length).toBeLessThan(images.photo!.length)
    // Its own writing was no change to work on.
    expect(seen.match(/b\.jpg/g)).toHaveLength(1)
  }, 180_000)

  it('--watch leaves alone what --exclude and patterns with an exclamation mark name, whenever it comes', async () => {
    await folder.write({ 'src/a.png': images.graphic! })
    const stop = new AbortController()
    let seen = ''
    const until = async (text: string): Promise<void> => {
      for (let waited = 0; !seen.includes(text); waited += 50) {
        if (waited > 120_000) throw new Error(`'${text}' was never printed, but: ${seen}`)
        await delay(50)
      }
    }
    const running = folder.run(['compress', 'src', '!src/drafts', '--exclude', '*.old.jpg', '--watch'], {
      signal: stop.signal,
      onOutput: (text) => (seen += text),
    })
    await until('waiting for changes')
    await folder.write({ 'src/drafts/b.jpg': images.photo!, 'src/c.old.jpg': images.photo! })
    // A later change is worked on later.
    await delay(500)
    await folder.write({ 'src/d.jpg': images.photo! })
    await until('src/d.jpg')
    stop.abort('SIGINT')
    expect((await running).code).toBe(0)
    expect((await folder.read('src/d.jpg')).length).toBeLessThan(images.photo!.length)
    expect(await folder.read('src/drafts/b.jpg')).toEqual(images.photo)
    expect(await folder.read('src/c.old.jpg')).toEqual(images.photo)
    expect(seen).not.toMatch(/b\.jpg|old\.jpg/)
  }, 180_000)

  it('stops when it is told to, with every file whole', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `${index}.jpg`)
    const sources = await Promise.all(names.map((_, index) => photo(200, 150, index + 1).jpeg(97)))
    await folder.write(Object.fromEntries(names.map((name, index) => [name, sources[index]!])))
    const stop = new AbortController()
    const running = folder.run(['compress', '.', '--no-cache'], { signal: stop.signal })
    const written = async (): Promise<number> => {
      const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder.path, name))).size))
      return sizes.filter((size, index) => size !== sources[index]!.length).length
    }
    while ((await written()) === 0) await delay(5)
    stop.abort('SIGINT')
    const { code, stderr } = await running
    expect(code).toBe(130)
    expect(stderr).toContain('file is whole')
    for (const name of names) expect((await decode(await folder.read(name))).width).toBe(200)
    expect(await written()).toBeLessThan(names.length)
    expect(await folder.files()).toEqual(names.toSorted())
  })
})

describe('wrong usage', () => {
  it.each([
    [[], /Nothing to compress/],
    [['none.jpg'], /There is no file or folder 'none\.jpg'/],
    [['.', '--quality', 'best'], /Expected 'high', 'balanced' or 'small', or a score from 1 to 100 for '--quality'/],
    [['.', '--quality', '101'], /a score from 1 to 100/],
    [['.', '--convert', 'wbep'], /for '--convert' but received 'wbep'/],
    [['.', '--resize', 'cover', '--width', '5'], /both 'width' and 'height' with method 'cover'/],
    [['.', '--resize', 'crop', '--width', '5'], /for '--resize' but received 'crop'/],
    [['.', '--effort', 'low'], /'--effort' but received 'low'/],
    [
      ['.', '--max-bytes', '3k'],
      /a size of at least 1 byte, such as '300kB' or '20MiB' for '--max-bytes' but received '3k'/,
    ],
    [['.', '--width', '0'], /--width must be a whole number of at least 1/],
    [['.', '--background', 'rde'], /for '--background' but received 'rde'/],
    [['.', '--rotate', 'left'], /for '--rotate' but received 'left'/],
    [['.', '--position', 'top', '--width', '5'], /both 'width' and 'height' with method 'cover'/],
    [['.', '--aspect', '16/9'], /for '--aspect' but received '16\/9'/],
    [['.', '--preserve', 'author'], /for '--preserve' but received 'author'/],
    [['.', '--concurrency', 'all'], /--concurrency must be a whole number/],
    [['.', '--watch', '--dry-run'], /--watch and --dry-run exclude each other/],
    [['-', 'a.png'], /'-' stands alone/],
    [['.', '--key', 'k'], /--key is for a service: give --engine too/],
    [['.', '--engine', 'http://example.com', '--key', 'k'], /an https URL/],
    [['.', '--engine', 'https://a.example.com,http://example.com', '--key', 'k'], /'engine.endpoint\[1\]'/],
    [['.', '--config', 'none.ts'], /There is no configuration file 'none\.ts'/],
    [['.', '--frob'], /Unknown option '--frob'/],
  ])('%j ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await compress(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})

describe('changes of the picture', () => {
  it.each([
    [['--rotate', '90', '--flip', '--flop'], 48, 64],
    [['--tint', 'teal', '--hue', '90', '--saturation', '0.5', '--brightness', '1.2'], 64, 48],
    [['--blur', 'mild', '--median', '3', '--normalize', '--grayscale', '--invert'], 64, 48],
    [['--rotate', '45', '--background', '#ff000080'], 79, 79],
    [['--aspect', '1:1', '--position', '0.3,0.6'], 48, 48],
    [['--width', '128', '--enlarge', '--kernel', 'nearest'], 128, 96],
    [['--width', '32', '--no-reduce'], 64, 48],
  ] as const)('%j are made in another folder', async (flags, width, height) => {
    await folder.write({ 'a.png': await photo(64, 48).png() })
    expect((await compress('a.png', '--out', 'out', '--effort', 'fast', ...flags)).code).toBe(0)
    expect(await decode(await folder.read('out/a.png'))).toMatchObject({ width, height })
  })

  it('are refused in place, where every further run would make them again', async () => {
    const source = await photo(64, 48).png()
    await folder.write({ 'a.png': source })
    const { code, stdout } = await compress('a.png', '--rotate', '90')
    expect([code, stdout]).toEqual([1, expect.stringContaining('give --out')])
    expect((await folder.read('a.png')).equals(source)).toBe(true)
  })
})

describe('what is said', () => {
  it('counts pictures of types that are not read in one line, and leaves them', async () => {
    const files = ['a.psd', 'b.PSD', 'deep/c.jp2', 'd.cr2'].map((name) => [`in/${name}`, 'x'] as const)
    await folder.write({ ...Object.fromEntries(files), 'in/e.png': await graphic(40, 30).png() })
    const { code, stderr } = await compress('in')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: naming('2 PSD', '1 JPEG 2000', '1 camera raw', 'JPEG', 'PNG'),
    })
    expect((await compress('in/a.psd')).stdout).not.toContain('broken')
  })

  it.skipIf(process.platform === 'win32')("explains the backslashes of Windows' paths", async () => {
    await folder.write({ 'in/e.png': await graphic(40, 30).png() })
    for (const [pattern, right] of [
      ['in\\*.png', 'in/*.png'],
      ['in\\e.png', 'in/e.png'],
    ] as const) {
      const { code, stderr } = await compress(pattern)
      expect(code).toBe(2)
      expect(stderr).toEqual(naming("'/'", `'${right}'`))
    }
  })

  it('says of every image what became of it with --verbose, and codes of what failed', async () => {
    await folder.write({ 'in/a.jpg': await photo(90, 60).jpeg(97), 'in/b.png': 'no image' })
    const { stdout, stderr } = await compress('in', '--verbose')
    expect(stderr).toMatch(
      /^pixpress: in\/a\.jpg {2}[\d.]+ k?B → [\d.]+ k?B {2}-\d+% {2}JPEG, score [\d.]+, written\. A smaller one \(JPEG, [^\n]+\.\n$/,
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain('(UNSUPPORTED_TYPE)')
    expect((await compress('in', '--verbose')).stderr).toMatch(/ JPEG, [a-z ]*cache, [^\n]*\.\n$/)
    expect((await compress('in', '--verbose', '--quiet')).code).toBe(2)
  })

  it("has a row for every image with '--report' full", async () => {
    const image = await graphic(16, 12).png()
    await folder.write(Object.fromEntries(Array.from({ length: 42 }, (_, at) => [`in/${at}.png`, image])))
    expect((await compress('in', '--dry-run')).stdout).toContain('… and 2 more')
    const full = (await compress('in', '--dry-run', '--report', 'full')).stdout
    expect(full.match(/^ {2}in\//gm)).toHaveLength(42)
    expect((await compress('in', '--report', 'long')).code).toBe(2)
  })
})

it('has a test for each flag', async () => {
  const files = [
    'compress',
    'compress-in-place',
    'compress-names',
    'compress-store',
    'restore',
    '../run',
    '../compress/shard',
    '../compress/chosen-files',
  ].map((name) => `${name}.test.ts`)
  const texts = await Promise.all(files.map((file) => readFile(path.join(import.meta.dirname, file), 'utf8')))
  const tests = texts.join('')
  for (const [name, flag] of Object.entries(COMPRESS_FLAGS)) {
    const short = 'short' in flag ? `'-${flag.short}'` : ''
    expect(tests.includes(`'--${name}'`) || (short !== '' && tests.includes(short)), `a test of --${name}`).toBe(true)
  }
})

/** Puts an EXIF block with a copyright behind the start marker of a JPEG. */
function withCopyright(jpeg: Buffer): Buffer {
  const text = 'by somebody\0'
  const tiff = Buffer.alloc(26 + text.length)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x8298, 10)
  tiff.writeUInt16LE(2, 12)
  tiff.writeUInt32LE(text.length, 14)
  tiff.writeUInt32LE(26, 18)
  tiff.write(text, 26, 'latin1')
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(2 + 6 + tiff.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from('Exif\0\0', 'latin1'), tiff, jpeg.subarray(2)])
}
