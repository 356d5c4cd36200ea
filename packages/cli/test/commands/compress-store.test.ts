import { detectType } from '@pixpress/core'
import type { Report } from '@pixpress/core/report'
import { photo, startGcsDouble, naming } from '@pixpress/testkit'
import type { GcsDouble } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const TOKEN = 'ya29.a-token-that-nobody-may-see'

const compress = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['compress', ...args])

describe('--store', () => {
  let double: GcsDouble
  let image: Buffer
  beforeEach(async () => {
    double = await startGcsDouble('pictures', { [TOKEN]: 'write', weak: 'read' })
    image = await photo(120, 90).jpeg(97)
    await folder.write({ 'a.jpg': image })
  })
  afterEach(() => double.close())

  async function configure(token = TOKEN, endpoint = double.endpoint): Promise<void> {
    const store = { service: 'gcs', gcp_access_token: token, path: 'pictures/a', endpoint, manifest: 'images.json' }
    await folder.write({ 'pixpress.config.mjs': `export default ${JSON.stringify({ store })}\n` })
  }

  const puts = (): number => double.requests.filter(({ method }) => method === 'PUT').length

  it('puts results into the store, once, and prints their URLs', async () => {
    await configure()
    const first = await compress('a.jpg', '--store', '--convert', 'webp')
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
    const [, url = ''] = /^a\.jpg {2}(http\S+)$/m.exec(first.stdout) ?? []
    expect(url).toMatch(/\/pictures\/a\/a\.[\da-f]{16}\.webp$/)
    const stored = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(detectType(stored)).toBe('image/webp')
    expect(stored).toEqual(await folder.read('a.webp'))
    expect(JSON.parse((await folder.read('images.json')).toString())).toEqual({ 'a.jpg': [url] })

    const again = await compress('a.jpg', '--store', '--convert', 'webp', '--json')
    const report = JSON.parse(again.stdout) as Report
    expect(report.store).toEqual({ service: 'gcs', uploaded: 0, present: 1, bytes: 0 })
    expect(report.images[0]!.address).toBe(url)
    expect(puts()).toBe(1)
    expect(JSON.stringify([first, again])).not.toContain(TOKEN)
  })

  it('stores what is added while --watch goes on', async () => {
    await configure()
    const stop = new AbortController()
    let seen = ''
    const until = (pattern: RegExp): Promise<void> => expect.poll(() => seen, { interval: 50 }).toMatch(pattern)
    const running = folder.run(['compress', '.', '--watch', '--store'], {
      signal: stop.signal,
      onOutput: (text) => (seen += text),
    })
    await until(/waiting for changes/)
    await folder.write({ 'b.jpg': await photo(110, 80, 2).jpeg(97) })
    await until(/^b\.jpg {2}http/m)
    stop.abort('SIGINT')
    expect((await running).code).toBe(0)
    expect(puts()).toBe(2)
    const manifest = JSON.parse((await folder.read('images.json')).toString()) as Record<string, string[]>
    expect(Object.keys(manifest)).toEqual(['a.jpg', 'b.jpg'])
    for (const [url] of Object.values(manifest)) expect((await fetch(url!)).status).toBe(200)
  }, 180_000)

  it('stores nothing without the flag, and nothing of what is only tried', async () => {
    await configure()
    await compress('a.jpg')
    await compress('a.jpg', '--store', '--dry-run')
    expect(double.requests).toEqual([])
  })

  it('leaves an image alone that cannot be stored, says why, and ends with 1', async () => {
    await configure('weak')
    const { code, stdout, stderr } = await compress('a.jpg', '--store', '--json')
    expect(code).toBe(1)
    const [failure] = (JSON.parse(stdout) as Report).failures
    expect(failure).toMatchObject({ source: 'a.jpg', code: 'STORE_FAILED' })
    expect(failure!.message).toContain('pictures/a/a')
    expect(await folder.read('a.jpg')).toEqual(image)
    expect(stdout + stderr).not.toContain('weak')
  })

  it('is wrong usage without a store in the configuration, and for standard input', async () => {
    const without = await compress('a.jpg', '--store')
    expect(without).toMatchObject({ code: 2 })
    expect(without.stderr).toEqual(naming("'store'", 'pixpress.config.ts'))
    expect(await folder.read('a.jpg')).toEqual(image)
    await configure()
    const piped = await folder.run(['compress', '-', '--store'], { stdin: image })
    expect(piped).toMatchObject({ code: 2 })
    expect(piped.stderr).toContain('--store')
  })

  it('is wrong usage where the store lacks its credential', async () => {
    await configure('')
    const empty = await compress('a.jpg', '--store')
    expect(empty).toMatchObject({ code: 2 })
    expect(empty.stderr).toContain('store.gcp_access_token')
  })
})
