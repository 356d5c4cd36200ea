import { createServer } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Wording, graphic, photo, transparentGraphic } from '@pixpress/testkit'
import sharp from 'sharp'
import { it } from 'vitest'
import { ERROR_STATUS, PixpressError, invalidOption, namedError } from '../src/base/errors.ts'
import { codecFault, systemFault } from '../src/base/faults.ts'
import { bytesOf } from '../src/base/image-source.ts'
import { DEFAULT_LIMITS } from '../src/base/limits.ts'
import type { InputType } from '../src/base/types.ts'
import { createFileCache } from '../src/cache/file-store.ts'
import { createMemoryCache } from '../src/cache/memory-store.ts'
import { createPatience } from '../src/cache/remote/patience.ts'
import { CACHE_REMOTE, resolveCacheRemote } from '../src/cache/remote/options.ts'
import { ask } from '../src/cache/remote/request.ts'
import { assertCacheKey } from '../src/cache/store.ts'
import { beyondScreens } from '../src/colour/code-points.ts'
import { createLimit } from '../src/concurrency/limit.ts'
import { assertWithin } from '../src/crop/resize-raster.ts'
import { checkedResult } from '../src/engines/remote/check-result.ts'
import { resolveRemoteOptions } from '../src/engines/remote/options.ts'
import { codecOf } from '../src/formats/index.ts'
import { PAYLOADS } from '../src/formats/payloads/table.ts'
import { lossOfMeaning } from '../src/formats/svg/tiers.ts'
import { unsupportedSvg } from '../src/formats/svg/unsupported.ts'
import { parseLock } from '../src/lock/lines.ts'
import { openLock } from '../src/lock/index.ts'
import { oldNode } from '../src/machine/node-version.ts'
import { requireSameRelease } from '../src/machine/same-release.ts'
import { fetchBytes } from '../src/net/fetch-bytes.ts'
import { allowedUrls } from '../src/net/url-patterns.ts'
import { STORES, STORE_SERVICES } from '../src/objects/index.ts'
import { resolveImageStore } from '../src/objects/image-store-options.ts'
import { resolveStoreOptions } from '../src/objects/options.ts'
import { parsePath } from '../src/objects/path.ts'
import { refusal } from '../src/objects/refusal.ts'
import { createMissingResults } from '../src/optimizer/missing-results.ts'
import { createOptimizer } from '../src/optimizer/index.ts'
import { OPTIMIZER_OPTIONS } from '../src/optimizer/options.ts'
import { flagHint } from '../src/options/flag-meanings.ts'
import { describeFlags, parseFlags, wholeNumber } from '../src/options/flags.ts'
import { OPERATION_FLAGS, operationsFromFlags } from '../src/operations/index.ts'
import type { Plan } from '../src/plan/plan.ts'
import { resolveBudgets } from '../src/project/budgets.ts'
import { PROJECT_OPTIONS } from '../src/project/options/index.ts'
import { createGuards } from '../src/quality/guards/index.ts'
import { checked } from '../src/quality/metric/pixels.ts'
import { baselineSentences } from '../src/report/baseline.ts'
import { overAll, overEach } from '../src/report/budget-figures.ts'
import { compareReports, renderChanges } from '../src/report/changes.ts'
import { describeWorth, endLine } from '../src/report/end-line.ts'
import { failureLines } from '../src/report/failures.ts'
import { firstBuildHint } from '../src/report/first-build.ts'
import { writeReport } from '../src/report/json.ts'
import type { ReportFailure } from '../src/report/json.ts'
import { pageData } from '../src/report/page-data.ts'
import { writePage } from '../src/report/page.ts'
import { refusals } from '../src/report/refusals.ts'
import { renderReport } from '../src/report/table.ts'
import { remoteParts, storeParts } from '../src/report/usage.ts'
import { GUARD_NAMES, WHY_NAMES, damageOf, describeOther, describeTogether, describeWhy } from '../src/report/why.ts'
import { STEPS, worthOf } from '../src/report/worth.ts'
import type { Step } from '../src/report/worth.ts'
import { assertDecodable } from '../src/work/steps/probe.ts'
import { decodeFailed, encodeFailed } from '../src/work/steps/job.ts'
import { image, reportOf } from './report/images.ts'

/** Values that hardly an option takes: each parser refuses one of them, and says what it expects. */
const WRONG: readonly unknown[] = ['', 'x y', -1, 1.5, 1e9, null, [], [7], {}, { wrong: 1 }, Symbol.iterator.toString]

/** A word of each row of `flag-meanings.ts`, with the flags that it asks for. */
const OTHER_WORDS = [
  'webp',
  'r',
  'output',
  'i',
  'jobs',
  'size',
  'lossy',
  'strip',
  'y',
  'json',
  'write',
  'undo',
  'skip',
  'mozjpeg',
  'color',
]
const FLAGS = ['convert', 'out', 'concurrency', 'max-bytes', 'quality', 'preserve', 'force', 'effort', 'format']

const FEATURES = { scripts: false, foreign: false, emptySelectors: false } as never

it('says every sentence in the words of the snapshot', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wording-'))
  const at = (name: string): string => path.join(folder, name)
  const wording = new Wording()
  const says = wording.says.bind(wording)
  const png = await graphic(64, 48).png()
  const jpeg = await photo(64, 48).jpeg()

  await says('Errors of any code', () =>
    (Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]).map(
      (code) => `${code}: HTTP ${new PixpressError(code, '').status}`,
    ),
  )
  await says(
    'Options: the form of every refusal',
    () => invalidOption('w', 'a number', 'x'.repeat(80)),
    () => invalidOption('w', 'a number', 'a\nb', 'A hint.'),
    () => invalidOption('w', 'a number', () => 7),
    () => createOptimizer({ cahce: false } as never),
    () => createOptimizer('x' as never),
    () => ['fallback', 'dimensions'].map((gone) => outcomeOf(() => createOptimizer({ [gone]: true } as never))),
  )
  for (const [name, { parser }] of Object.entries({ ...OPTIMIZER_OPTIONS, ...PROJECT_OPTIONS }).sort())
    await says('Options: what each expects', () => refusalsOf((value) => parser.parse(value, name)))

  const resizes = [
    { method: 'scale' },
    { method: 'fit', width: 1 },
    { method: 'fit', width: 1, height: 1, background: '#fff' },
    { method: 'fit', width: 1, height: 1, position: 'top' },
    { method: 'fill', width: 1, height: 1, position: 'entropy' },
    { method: 'contain', width: 1, height: 1, position: 'entropy' },
    { method: 'scale', width: 1, aspect: '16:9' },
    { method: 'cover', width: 1, aspect: 'x' },
    { method: 'fit', width: 1, aspect: '16:9' },
    { method: 'scale', width: 1, position: 'faces' },
    { method: 'cover', width: 1, height: 1, position: 'faces' },
    { method: 'cover', width: 1, height: 1, position: 'x' },
  ]
  const options: Readonly<Record<string, readonly unknown[]>> = {
    resize: resizes,
    budgets: [[{}], [{ page: '1 MB', image: '1 MB' }], [{ image: 'x' }], [{ growth: 'x' }], [{ page: 'x' }]],
    svgo: [{ plugins: [7] }, { plugins: [{ name: 'x', params: () => 7 }] }, { floatPrecision: 'x' }, { wrong: 1 }],
    convert: [{ type: [] }, { type: ['image/none'] }, 'x'],
    lock: [{ wrong: 1 }],
    overrides: [[{}], [{ include: 7 }]],
    preserve: [['x'], 'copyright'],
    limits: [{ maxPixels: 0 }, { wrong: 1 }],
    adjust: [{ blur: 0 }, { median: 0 }, { tint: 'x' }, { background: 'x' }, { rotate: 'x' }],
    transform: [{ background: 'x' }, { background: 'transparent' }],
    encoder: [{ avif: { quality: 'x' } }, { gif: {} }],
  }
  for (const [name, values] of Object.entries(options)) {
    const { parser } = { ...OPTIMIZER_OPTIONS, ...PROJECT_OPTIONS }[name as 'resize']
    await says(`Options: combinations of ${name}`, ...values.map((value) => () => parser.parse(value as never, name)))
  }
  await says(
    'Options: several together',
    () => resolveBudgets([{ image: 'x' }] as never),
    () => allowedUrls('remoteImages', ['x']),
    () => createLimit({ jobs: 0 }),
    () => createLimit({ jobs: 1, memory: 0 }),
    () => createLimit({ jobs: 1 }).run(() => Promise.resolve(), { memory: -1 } as never),
    () => createMemoryCache({ maxSize: -1 }),
    () => createFileCache({ dir: '' }),
    () => createFileCache({ dir: 'x', maxSize: -1 }),
    () => assertCacheKey('x'),
  )

  await says(
    'Flags',
    () => parseFlags(['--wdith', '5'], OPERATION_FLAGS),
    () => parseFlags(['--xyzzy'], OPERATION_FLAGS),
    () => parseFlags(['--lossless=5'], OPERATION_FLAGS),
    () => parseFlags(['--width'], OPERATION_FLAGS),
    () => parseFlags(['--width', '1', '--width', '2'], OPERATION_FLAGS),
    () => wholeNumber('width', 'x'),
    () => describeFlags(OPERATION_FLAGS).split('\n'),
  )
  for (const word of OTHER_WORDS)
    await says('Flags: words of other programs', () => `--${word}: ${flagHint(word, FLAGS)}`)
  for (const flag of Object.keys(OPERATION_FLAGS))
    await says('Flags: wrong values', () => outcomeOf(() => operationsFromFlags({ [flag]: 'x y' })) ?? `--${flag}: any`)

  await says(
    'Sources',
    () => bytesOf('a.png'),
    () => bytesOf(7),
    () => createOptimizer({ cache: false }).optimize(Buffer.alloc(0)),
    () => createOptimizer({ cache: false }).optimize(Buffer.from('text')),
    () => createOptimizer({ cache: false }).optimize(Buffer.from([1, 2, 3, 4])),
    () => createOptimizer({ cache: false }).optimize(Buffer.from('8BPS\0\u0001')),
    () => createOptimizer({ cache: false, limits: { maxBytes: 10 } }).optimize(png),
    () => createOptimizer({ cache: false, limits: { maxPixels: 10 } }).optimize(png),
    () => assertDecodable({ width: 5, height: 5, frames: 3 }, { ...DEFAULT_LIMITS, maxFrames: 2 }),
    () => assertDecodable({ width: 5, height: 5, frames: 3 }, { ...DEFAULT_LIMITS, maxPixels: 2 }),
    () => assertWithin({ width: 5, height: 5 }, 2, undefined),
  )
  const optimize = createOptimizer({ cache: false }).optimize
  const moving = await sharp([jpeg, await photo(64, 48, 2).jpeg()], { join: { animated: true } })
    .gif()
    .toBuffer()
  const bmp = Buffer.from('Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAATCwAAEwsAAAAAAAAAAAAA////AA==', 'base64')
  await says(
    'Work on an image',
    () => optimize(jpeg.subarray(0, 500)),
    () => optimize(png.subarray(0, 200)),
    async () => optimize(await transparentGraphic(64, 48).png(), { convert: { type: 'image/jpeg' } }),
    () => optimize(moving, { convert: { type: 'image/jpeg' } }),
    () => optimize(moving, { adjust: { normalize: true } }),
    () => optimize(moving, { resize: { method: 'cover', width: 9, height: 9, position: 'entropy' } }),
    () => optimize(bmp, { resize: { method: 'scale', width: 1 } }),
    async () => (await optimize(bmp)).notes,
    async () => (await optimize(jpeg, { maxBytes: 10 })).notes,
    async () => (await optimize(jpeg, { maxBytes: 1100 })).notes,
    () => optimize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><a></svg>')),
    () => optimize(Buffer.from([...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>'), 0xff, 0xfe])),
    async () => (await optimize(Buffer.from(SVG('<script>1</script>')))).notes,
    async () => (await optimize(Buffer.from(SVG('<foreignObject><p>x</p></foreignObject>')))).notes,
    async () => (await optimize(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${SVG('')}`))).notes,
    async () => (await optimize(Buffer.from(`<!DOCTYPE svg [ ]>${SVG('')}`))).notes,
    () => optimize(Buffer.from(SVG('<script>1</script>')), { convert: { type: 'image/png' } }),
    () => decodeFailed({ source: png, type: 'image/png' } as never, new Error('unsupported thing')),
    () => decodeFailed({ source: png, type: 'image/png' } as never, new Error('bad')),
    () => decodeFailed({ source: png.subarray(0, 99), type: 'image/png' } as never, new Error('bad')),
    () => encodeFailed({ file: 'a.png' } as never, new Error('bad')),
    () => namedError(new Error('bad'), 'a.png'),
  )
  await says(
    'Images that stay as they are',
    () => beyondScreens(9, 16)?.note,
    () => beyondScreens(9, 1)?.note,
    () => codecOf('image/heic').unsupported?.(Buffer.alloc(0), 2)?.note,
    () => codecOf('image/avif').unsupported?.(Buffer.alloc(0), 2)?.note,
    () => lossOfMeaning({ ...(FEATURES as object), scripts: true } as never),
    () => lossOfMeaning({ ...(FEATURES as object), foreign: true } as never),
    () => lossOfMeaning({ ...(FEATURES as object), emptySelectors: true } as never),
    () => unsupportedSvg(Buffer.alloc(5e6))?.note,
    () => unsupportedSvg(Buffer.from('<?xml version="1.0" encoding="latin1"?>\u00e9', 'latin1'))?.note,
  )

  await says(
    'The machine',
    () => oldNode('v18.0.0'),
    () => requireSameRelease({ name: 'unplugin-pixpress', version: '9.0.0' }),
    () => codecFault(new Error('Could not load the "sharp" module')),
    () => codecFault(Object.assign(new Error('x'), { code: 'ERR_DLOPEN_FAILED' })),
    () => codecFault(new Error('VipsOperation: class "jxlload" not found')),
  )
  for (const code of ['ENOSPC', 'EROFS', 'EACCES', 'ENOTDIR', 'EMFILE', 'EIO'])
    await says('The machine: files and folders', () => {
      const { what, mend } = systemFault(Object.assign(new Error(code), { code }), '/x')!
      return `${what}. ${mend}`
    })
  await writeFile(at('file'), '')
  for (const strict of [false, true])
    await says('The cache', async () => {
      const told: string[] = []
      const entry = { data: png, meta: {} }
      const cache = createFileCache({ dir: at('file'), strict, onWarning: (text: string) => told.push(text) } as never)
      const error = await cache.set('a'.repeat(64), entry as never).catch((caught: Error) => caught)
      return error === undefined ? told : [`${(error as PixpressError).code}: ${error.message}`]
    })
  await says(
    'The remote cache',
    () => resolveCacheRemote({ endpoint: 'https://x.example' } as never, {}),
    () => resolveCacheRemote({ endpoint: 'https://x.example', signingKey: 'short' } as never, {}),
    () => CACHE_REMOTE.parse({ endpoint: 'http://x.example' } as never, 'cache.remote'),
    () => CACHE_REMOTE.parse({ endpoint: 'https://x.example', key: 'a b' } as never, 'cache.remote'),
    async () => (await attempt(() => Promise.resolve(new Response('', { status: 500 })))).message,
    async () => (await attempt(() => Promise.reject(new DOMException('x', 'TimeoutError')))).message,
    async () => (await attempt(() => Promise.reject(new Error('ECONNREFUSED')))).message,
    async () => {
      const told: string[] = []
      const patience = createPatience({ failures: 1, onLeave: (reason) => void told.push(reason) })
      await patience.wait(
        () => Promise.reject(new Error('bad')),
        () => 0,
      )
      return told
    },
  )
  const plan = { file: 'a.png', type: 'image/png', types: ['image/webp'], operations: {} } as never as Plan
  const missing = createMissingResults()
  await says(
    'A frozen cache',
    () => missing.note(plan, 'image'),
    () => missing.refuse(),
    () => [missing.note(plan, 'image'), missing.note({ ...plan, file: 'b.png' }, 'image')].map(({ code }) => code),
    () => missing.refuse(),
  )
  await says(
    'The lock',
    () => parseLock('{"lock":1}\n<<<<<<< ours\n', 'pixpress.lock'),
    () => parseLock('{"lock":1}\nwrong\n', 'pixpress.lock'),
    () => parseLock('{}\n', 'pixpress.lock'),
    () => parseLock('{"lock":99}\n', 'pixpress.lock'),
    () => openLock({ file: folder, root: folder, onWarning: () => undefined } as never),
  )

  for (const service of STORE_SERVICES) {
    const { members, hints } = STORES[service]
    await says(`Stores: ${service}`, () => resolveStoreOptions({ service, path: 'bucket/a.png' } as never))
    for (const [name, { form }] of Object.entries(members)) {
      const given = Object.fromEntries(Object.keys(members).map((each) => [each, 'x']))
      if (form !== undefined)
        await says(`Stores: ${service}`, () =>
          resolveStoreOptions({ service, path: 'bucket/a.png', ...given, [name]: '! !' } as never),
        )
    }
    for (const code of Object.keys(hints))
      await says(`Stores: ${service}`, () => refusal(403, `<Error><Code>${code}</Code></Error>`, hints))
  }
  const gcs = { service: 'gcs', path: 'bucket/a.png', gcp_access_token: 'x' }
  await says(
    'Stores',
    () => resolveStoreOptions(7 as never),
    () => resolveStoreOptions({ ...gcs, service: 'ftp' } as never),
    () => resolveStoreOptions({ ...gcs, gcp_access_token: 'a\nb' } as never),
    () => resolveStoreOptions({ ...gcs, gcp_access_token: '' } as never),
    () => resolveStoreOptions({ ...gcs, endpoint: 'x' } as never),
    () => resolveStoreOptions({ ...gcs, headers: { 'X-A': 'b' } } as never),
    () => resolveStoreOptions({ ...gcs, headers: 7 } as never),
    () => refusal(500, '', {}),
    () => refusal(403, '<Error><Code>X</Code><Message>Said by the storage</Message></Error>', {}),
    () => parsePath('A!/x'),
    () => parsePath('bucket/'),
    () => parsePath(`bucket/${'x'.repeat(2000)}`),
    () => resolveImageStore(7 as never, folder),
    () => resolveImageStore({ ...gcs, path: 7 } as never, folder),
    () => resolveImageStore({ ...gcs, path: 'bucket', manifest: '' } as never, folder),
  )
  await says(
    'A service',
    () => resolveRemoteOptions({ endpoint: 'x', key: 'k' }),
    () => resolveRemoteOptions({ endpoint: 'https://u:p@x.example', key: 'k' }),
    () => resolveRemoteOptions({ endpoint: 'https://x.example', key: '' }),
    () => resolveRemoteOptions({ endpoint: 'https://x.example', key: 'k', limit: { build: -1 } }),
    () => checkedResult({} as never, {} as never, { data: undefined }),
    () => checkedResult({ operations: { types: ['image/webp'] } } as never, {} as never, { data: png }),
    () =>
      checkedResult({ operations: { types: null }, type: 'image/png', limits: DEFAULT_LIMITS } as never, {} as never, {
        data: png.subarray(0, 20),
      }),
  )
  const host = createServer(({ url }, response) => {
    if (url === '/loop') response.writeHead(302, { Location: '/loop' })
    response.end(url === '/long' ? 'x'.repeat(99) : '')
  })
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  await says(
    'Images of other servers',
    () => fetched(`${origin}/loop`),
    () => fetched(`${origin}/long`),
    () => fetched('x'),
    () => fetched('ftp://x.example/a.png'),
    () => fetched('https://u:p@x.example/a.png'),
    () => fetched('http://127.0.0.1:1/a.png'),
  )
  host.close()

  for (const because of WHY_NAMES) {
    const otherwise = { type: 'image/webp' as InputType, bytes: 86_000 }
    await says('Reports: why an image is no smaller', () => [
      describeWhy({ because }, 100_000),
      describeWhy({ because, otherwise, guard: 'edges', x: 1, y: 2 }, 100_000),
      describeTogether({ because }),
    ])
  }
  await says(
    'Reports: why an image is no smaller',
    () => GUARD_NAMES.map((guard) => damageOf(guard, { x: 1, y: 2 })),
    () => damageOf(undefined, {}),
    () => describeOther({ type: 'image/webp', bytes: 41_000 }),
  )
  for (const step of Object.keys(STEPS) as Step[])
    await says('Reports: what would save more', () => [
      describeWorth(worthOf(step, 12_300, 2)),
      describeWorth(worthOf(step, 12_300, 3, 20)),
    ])
  const style = { width: 400, color: false, full: false }
  const kept = { kept: 'input', reason: 'second-loss' } as const
  const refused = { guard: 'edges', x: 1, y: 2, type: 'image/webp', size: 44_000 } as const
  const converted = [
    image('a.jpg', 900, 400),
    image('b.jpg', 900, 800, { type: 'image/jpeg', typeKept: 'It is a copy under its own name.' }),
  ]
  const failures = (
    ['DECODE_FAILED', 'UNSUPPORTED_TYPE', 'BELOW_PROMISE', 'TIMEOUT', 'IO_FAILED', 'INTERNAL'] as const
  ).map((code): ReportFailure => ({ source: `${code}.png`, code, message: 'It says why.' }))
  const other = { tool: 'Astro', type: 'image/webp', size: 1200, score: 84, keepsPromise: true } as const
  const compared = reportOf([
    image('a.jpg', 9000, 3000, { baseline: { ...other, size: 5000, keepsPromise: false } }),
    image('b.jpg', 9000, 3000, { baseline: other }),
  ])
  const plainColors = { dim: String, yellow: String } as never
  await says(
    'Reports: the table',
    () => lines(renderReport(reportOf([image('a.jpg', 900, 400)], failures), style)),
    () => lines(renderReport(reportOf([image('a.jpg', 900, 900, kept)]), style)),
    () => lines(renderReport(reportOf(['a', 'b', 'c', 'd'].map((name) => image(name, 900, 900, kept))), style)),
    () =>
      lines(
        renderReport(reportOf([image('a.jpg', 900, 900, { wouldBe: { type: 'image/avif', bytes: 400 } })]), {
          ...style,
          full: true,
        }),
      ),
    () => lines(renderReport(reportOf([320, 640].map((width) => image('a.jpg', 900, width, { width }))), style)),
    () => lines(renderReport(reportOf([image('a.jpg', 900, 900, { cached: true })]), style)),
    () =>
      failureLines(
        failures.flatMap((each) => [each, { ...each, source: 'b' }]),
        style,
        plainColors,
      ),
    () => refusals([image('a.png', 9000, 9000, { refused, score: 100 })]),
    () =>
      refusals([
        image('a.png', 9000, 9000, { refused, score: 100 }),
        image('b.png', 9000, 9000, { refused, score: 100 }),
      ]),
    () => baselineSentences(compared),
    () => endLine(reportOf(converted), style),
    () => endLine({ ...reportOf(converted), worth: worthOf('convert-auto', 190_000, 3, 20) }, style),
    () => firstBuildHint(reportOf([image('a.jpg', 900, 400)], [], 5001).totals, '.cache/pixpress'),
    () => pageData(reportOf([image('a.jpg', 900, 900, { kept: 'input' })])).images[0]!.why,
    () => lines(renderChanges(compareReports(compared, reportOf(converted, failures)), style)),
    () => lines(renderChanges(compareReports(reportOf(converted, failures), compared), style)),
  )
  for (const call of [() => writeReport(folder, compared), () => writePage(folder, compared, folder)])
    await says('Reports: files', async () => {
      const error = (await call().catch((caught: Error) => caught)) as PixpressError
      return `${error.code}: ${error.message.replace(/:[^:]*$/, ': …')}`
    })
  const usage = { uploaded: 3, present: 2, bytes: 9000 }
  const month = { key: '…wxyz', compressions: 12, month: 345, limit: 500 }
  const [budget] = resolveBudgets([{ include: 'hero/**', image: '100 kB', total: '700 kB' }])
  await says(
    'Reports: figures',
    () =>
      remoteParts({
        endpoint: 'https://images.example.com/v1',
        compressions: 12,
        unanswered: 2,
        saved: 30,
        images: 9,
        fallbacks: { local: 3, original: 1 },
        reasons: [],
        keys: [month],
        left: 8,
      }),
    () => STORE_SERVICES.flatMap((service) => storeParts({ service, ...usage } as never)),
    () => overEach(161_100, budget!),
    () => overAll(1_300_000, budget!),
  )
  await says('Payloads, as docs and notes name them', () =>
    PAYLOADS.flatMap(({ name, where, reason }) => [name, where, reason]),
  )
  const pixels = { width: 2, height: 2, channels: 4, data: new Uint8Array(3) } as never
  await says(
    'Faults of our own',
    () => checked(pixels),
    () => createGuards(pixels),
  )
  await rm(folder, { recursive: true })
  await wording.keep(import.meta.dirname, {
    least: 0.57,
    masks: [
      [folder, '<folder>'],
      [path.basename(folder), 'folder'],
      [/\.\d+\.[\da-f]{12}\.tmp/g, '.tmp'],
    ],
  })
})

/** Collects what a parser says to each wrong value, each expectation once. */
function refusalsOf(parse: (value: unknown) => unknown): string[] {
  const said = new Map<string, string>()
  for (const value of WRONG) {
    const row = outcomeOf(() => parse(value))
    const expected = row?.replace(/ but received .*/, '')
    if (expected !== undefined && !said.has(expected)) said.set(expected, row!)
  }
  return said.size === 0 ? ['(takes anything)'] : [...said.values()]
}

function outcomeOf(call: () => unknown): string | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    return `${(error as PixpressError).code}: ${(error as Error).message}`
  }
}

async function attempt(send: () => Promise<Response>): Promise<Error> {
  const { signal } = new AbortController()
  const answered = await ask('The cache at https://x.example', { signal, send, read: () => undefined } as never)
  return (answered as { failure: Error }).failure
}

const SVG = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`

const lines = (text: string): string[] => text.split('\n').map((line) => line.trimEnd())

const fetched = (url: string): Promise<unknown> =>
  fetchBytes(url, { maxBytes: 10, assertAllowed: () => undefined, isOwnError: () => false } as never)
