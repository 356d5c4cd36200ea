import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atWidth, deliveryUrl, srcset } from '@pixpress/client/delivery'
import type { DeliveryOperations } from '@pixpress/client/delivery'
import { store } from '@pixpress/core'
import {
  detect,
  freePort,
  makeBucket,
  photo,
  requireTool,
  startCachingProxy,
  startRadosgw,
  startRedis,
  WORKSPACE,
} from '@pixpress/testkit'
import type { CachingProgram, CachingProxy, Radosgw, RedisServer } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyPage } from '../browser/chromium.ts'
import { startReplica } from './replica.ts'
import type { Replica } from './replica.ts'

const installed = (['redis-server', 'radosgw', 'ceph-osd', 'nginx', 'varnishd', 'chromium'] as const).every(
  (tool) => requireTool(tool) !== undefined,
)

const KEY = '0123456789abcdef0123456789abcdef'
const MADE = 'pixpress_delivered_total{from="made"}'

/** `Accept` of four browsers for an `<img>`, in two classes: with AVIF and WebP, and with neither. */
const ACCEPTS: readonly (readonly [group: string, accept: string])[] = [
  ['modern', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'],
  ['modern', 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'],
  ['old', 'image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'],
  ['old', '*/*'],
]

const SOURCES = Array.from({ length: 10 }, (_, index) => `media/set/p ${index}.png`)
const WIDTHS = [32, 48]
const REQUESTS = 1000
const CLIENTS = 32

/** The blocks of docs/delivery.md, of which one begins so. */
async function block(beginning: string): Promise<string> {
  const page = await readFile(path.join(WORKSPACE, 'docs/delivery.md'), 'utf8')
  const found = [...page.matchAll(/```\w+\n(.*?)```/gs)]
    .map(([, text]) => text!)
    .find((text) => text.startsWith(beginning))
  if (found === undefined) throw new Error(`docs/delivery.md has no block that begins with '${beginning}'.`)
  return found
}

const signed = (endpoint: string, source: string, operations: DeliveryOperations): Promise<string> =>
  deliveryUrl(source, operations, { endpoint, key: KEY })

async function get(url: string, accept: string): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  const response = await fetch(url, { headers: { accept } })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

const PROXIES: readonly (readonly [CachingProgram, string])[] = [
  ['nginx', 'proxy_cache_path'],
  ['varnishd', 'vcl 4.1;'],
]

describe.skipIf(!installed)('pictures of two servers', () => {
  let redis: RedisServer
  let radosgw: Radosgw
  let folder: string
  let replicas: readonly Replica[]
  let ports: readonly number[]
  const proxies: CachingProxy[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-delivery-'))
    await mkdir(path.join(folder, 'photos'))
    await writeFile(path.join(folder, 'photos', 'hero.jpg'), await photo(240, 160).jpeg(97))
    redis = await startRedis()
    radosgw = await startRadosgw()
    const { endpoint, accessKeyId, secretAccessKey } = radosgw
    for (const bucket of ['outputs', 'originals']) await makeBucket({ endpoint, accessKeyId, secretAccessKey }, bucket)
    const access = { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, region: 'us-east-1' }
    for (const [index, source] of SOURCES.entries()) {
      const data = await photo(64, 48, index + 1).png()
      const target = `originals/kept/${source.slice('media/'.length)}`
      await store(
        { data, info: { type: 'image/png' } },
        { service: 's3', endpoint, path: target, acl: 'no-acl', ...access },
      )
    }
    ports = [await freePort(), await freePort()]
    const sources = `media=s3:${endpoint}/originals/kept,photos=${path.join(folder, 'photos')}`
    const flags = ['--key', 'k'.repeat(32), '--redis', redis.url, '--s3', `${endpoint}/outputs`, '--metrics-port', '0']
    const delivery = ['--delivery-key', KEY, '--delivery-source', sources, '--delivery-max-age', '30d']
    const env = { PIXPRESS_S3_ACCESS_KEY_ID: accessKeyId, PIXPRESS_S3_SECRET_ACCESS_KEY: secretAccessKey }
    const start = (port: number, index: number): Promise<Replica> =>
      startReplica(port, [...flags, ...delivery, '--data', path.join(folder, String(index))], env)
    replicas = await Promise.all(ports.map(start))
  }, 300_000)
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop()
    for (const replica of replicas ?? []) replica.kill('SIGTERM')
    await Promise.all((replicas ?? []).map(({ exited }) => exited))
    await redis?.stop()
    await radosgw?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function made(): Promise<number> {
    const counts = await Promise.all(replicas.map((replica) => replica.metric(MADE)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Asks for every picture many times, from many clients at once. @returns the pictures by what asked for them */
  async function askForAll(endpoint: string): Promise<Map<string, Set<string>>> {
    const seen = new Map<string, Set<string>>()
    let next = 0
    const client = async (): Promise<void> => {
      while (next < REQUESTS) {
        // The order is that of no list, and the same in each run.
        const turn = (next++ * 389) % REQUESTS
        const source = SOURCES[turn % SOURCES.length]!
        const w = WIDTHS[Math.floor(turn / SOURCES.length) % WIDTHS.length]!
        const [group, accept] = ACCEPTS[Math.floor(turn / 20) % ACCEPTS.length]!
        const { status, bytes } = await get(await signed(endpoint, source, { w }), accept)
        const name = `${source} ${w} ${group}`
        const all = seen.get(name) ?? new Set()
        seen.set(name, all.add(`${status} ${detect(bytes)} ${bytes.toString('base64')}`))
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    return seen
  }

  it.each(PROXIES)(
    `are made once, whoever of ${REQUESTS} asks by %s, and are the same for all`,
    async (program, beginning) => {
      const proxy = await startCachingProxy(program, await block(beginning), ports)
      proxies.push(proxy)
      const seen = await askForAll(proxy.url)
      const pictures = SOURCES.length * WIDTHS.length * 2
      expect(seen.size).toBe(pictures)
      for (const [name, answers] of seen) {
        const [answer = '', ...others] = answers
        expect([name, others]).toEqual([name, []])
        expect(answer).toMatch(name.endsWith('modern') ? /^200 (?:avif|webp|png) / : /^200 png /)
      }
      // The second proxy's cache is empty, and nothing is made any more.
      expect(await made()).toBe(pictures)
      const again = await get(await signed(proxy.url, SOURCES[0]!, { w: 32 }), '*/*')
      expect(again.headers.get('x-cache')).toMatch(/^(?:HIT|[1-9]\d*)$/)
    },
    600_000,
  )

  it('are made once where both servers are asked at the same time, with no cache before them', async () => {
    const before = await made()
    const asked = Array.from({ length: 4 }, async (_, index) => {
      const urls = await Promise.all(replicas.map(({ url }) => signed(url, 'photos/hero.jpg', { w: 100 + index })))
      return Promise.all(Array.from({ length: 12 }, (__, each) => get(urls[each % 2]!, '*/*')))
    })
    for (const answers of await Promise.all(asked)) {
      expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1)
      expect(answers[0]!.status).toBe(200)
    }
    expect((await made()) - before).toBe(4)
  }, 600_000)

  it.each([
    [[], /^(?:jxl|avif|webp|jpeg)$/],
    [['jxl'], /^(?:avif|webp|jpeg)$/],
    [['avif'], /^(?:jxl|webp|jpeg)$/],
    [['jxl', 'avif'], /^(?:webp|jpeg)$/],
    [['jxl', 'avif', 'webp'], /^jpeg$/],
  ])(
    'are shown by Chromium without %j',
    async (disabled, format) => {
      const { page, close } = await openEmptyPage(requireTool('chromium')!)
      try {
        const session = await page.context().newCDPSession(page)
        await session.send('Emulation.setDisabledImageTypes', { imageTypes: disabled as ['avif'] })
        const template = await signed(proxies[0]!.url, 'photos/hero.jpg', { w: '*' })
        const answered = page.waitForResponse((response) => response.url() === atWidth(template, 128))
        const html = `<img sizes="128px" srcset="${srcset(template, [64, 128, 256])}" alt="">`
        await page.setContent(html)
        const response = await answered
        expect(detect(await response.body())).toMatch(format)
        await page.waitForFunction(() => document.images[0]!.complete && document.images[0]!.naturalWidth > 0)
        expect(await page.evaluate(() => document.images[0]!.currentSrc)).toBe(atWidth(template, 128))
        expect(response.headers()['content-type']).toBe(`image/${detect(await response.body())}`)
      } finally {
        await close()
      }
    },
    600_000,
  )

  it('are those of the components in the documentation', async () => {
    const at = path.join(import.meta.dirname, '../.scratch')
    await mkdir(at, { recursive: true })
    const load = async (beginning: string): Promise<Record<string, unknown>> => {
      const file = path.join(at, `delivery-${beginning.replaceAll(/\W+/g, '-')}.mjs`)
      const text = await block(beginning)
      await writeFile(
        file,
        text
          .replace('https://images.example.com', proxies[0]!.url)
          .replace('process.env.IMAGES_SIGNING_KEY', `'${KEY}'`),
      )
      return (await import(file)) as Record<string, unknown>
    }
    const template = await signed(proxies[0]!.url, 'photos/hero.jpg', { w: '*' })
    const next = (await load('// image-loader.js'))['default'] as (given: object) => string
    const nuxt = (await load('// providers/pixpress.js'))['default'] as () => {
      getImage(src: string, given: object): { url: string }
    }
    const unpic = (await load('// pixpress-transformer.js'))['transform'] as (src: string, given: object) => string
    const astro = (await load('// pixpress-service.js'))['default'] as { getURL(given: object): Promise<string> }
    const urls = [
      next({ src: template, width: 128, quality: 75 }),
      nuxt().getImage(template, { modifiers: { width: 128 } }).url,
      unpic(template, { width: 128 }),
      await astro.getURL({ src: 'photos/hero.jpg', width: 128 }),
    ]
    for (const url of urls) expect((await get(url, '*/*')).status).toBe(200)
    expect(new Set(urls.slice(0, 3))).toEqual(new Set([atWidth(template, 128)]))
  })
})
