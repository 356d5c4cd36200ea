import { graphic, photo, schemaDisagreements, startImageService, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../client/src/index.ts'
import schema from '../../../../docs/report.schema.json' with { type: 'json' }
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { ERROR_STATUS } from '../../src/base/errors.ts'
import type { PixpressError } from '../../src/base/errors.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { openRemoteEngine, resolveRemoteOptions } from '../../src/engines/remote/options.ts'
import type { RemoteEngine } from '../../src/engines/remote/engine.ts'
import { createReport, reportImage } from '../../src/report/json.ts'
import type { Report, ReportFailure, ReportImage } from '../../src/report/json.ts'
import type { StoreUsage } from '../../src/objects/contract.ts'
import { INPUT_TYPES } from '../../src/base/formats.ts'

const sources: Record<string, Buffer> = {}

beforeAll(async () => {
  sources['photo.jpg'] = await photo(64, 48).jpeg(95)
  sources['logo.png'] = await graphic(64, 48).png()
  sources['icon.svg'] = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><!-- a --><rect width="5" height="5"/></svg>',
  )
  sources['torn.png'] = sources['logo.png'].subarray(0, 100)
})

/** Returns a report as it is read from a file. */
async function report(engine?: RemoteEngine): Promise<Report> {
  const optimizer = createOptimizer({ cache: createMemoryCache(), ...(engine !== undefined && { engine }) })
  const images = new Map<string, ReportImage>()
  const failures: ReportFailure[] = []
  for (const [file, source] of Object.entries(sources)) {
    try {
      const result = await optimizer.optimize(source, {}, { file })
      images.set(result.key, reportImage(file, result))
    } catch (error) {
      const { code, message } = error as PixpressError
      failures.push({ source: file, code, message })
    }
  }
  const usage = await engine?.endBuild()
  await optimizer.close()
  return JSON.parse(JSON.stringify(createReport(images, failures, 12.3, { remote: usage }))) as Report
}

describe('docs/report.schema.json', () => {
  it('describes a report of this machine', async () => {
    const local = await report()
    expect(local.failures.map(({ code }) => code)).toEqual(['DECODE_FAILED'])
    expect(local.totals).toMatchObject({ images: 3, failed: 1 })
    expect(schemaDisagreements(local, schema)).toEqual([])
  })

  it('describes what was stored', () => {
    const store: StoreUsage = { service: 's3', uploaded: 2, present: 1, bytes: 4711 }
    const stored = createReport(new Map(), [], 1, { store })
    expect(schemaDisagreements(stored, schema)).toEqual([])
    expect(schemaDisagreements({ ...stored, store: { ...store, service: 'ftp' } }, schema)).toHaveLength(1)
  })

  it('has the types and the codes that there are', () => {
    expect(schema.$defs.type.enum.toSorted()).toEqual(INPUT_TYPES.toSorted())
    expect(Object.keys(schema.$defs.byType.properties).toSorted()).toEqual(INPUT_TYPES.toSorted())
    expect(schema.$defs.failure.properties.code.enum.toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted())
  })

  it('is not agreed with by everything', async () => {
    const { totals, ...others } = await report()
    const [image] = others.images
    const wrong = { ...others, images: [{ ...image, width: -1, type: 'image/x-icon', colour: 'red' }] }
    expect(schemaDisagreements(wrong, schema).toSorted()).toEqual([
      expect.stringContaining('/images/0/colour'),
      naming('/images/0/type', '"image/x-icon"'),
      '/images/0/width is below 0',
      '/totals is missing',
    ])
    expect(schemaDisagreements({ ...others, totals: { ...totals, ratio: '1' } }, schema)).toEqual([
      expect.stringContaining('/totals/ratio'),
    ])
  })
})

describe('docs/report.schema.json, with a service', () => {
  let service: Awaited<ReturnType<typeof startImageService>>
  const open = (options: object): RemoteEngine =>
    openRemoteEngine(resolveRemoteOptions({ endpoint: service.endpoint, key: 'test-key', ...options }), {
      load: async () => createClient,
      onWarning: () => undefined,
    })

  beforeAll(async () => {
    service = await startImageService()
  })
  afterAll(() => service.close())

  it.each<[string, object]>([
    ['that does everything', {}],
    ['with limits, one of which is reached', { limit: { build: 1, month: 100 } }],
    ['that refuses the key', { key: 'a-wrong-key-of-some-length', fallback: 'original' }],
  ])('describes a report of one %s', async (_, options) => {
    const remote = await report(open(options))
    expect(remote.remote).toBeDefined()
    expect(schemaDisagreements(remote, schema)).toEqual([])
  })
  it('describes a report of several endpoints, one of which is away', async () => {
    const remote = await report(open({ endpoint: [service.endpoint, 'http://127.0.0.1:9'] }))
    expect(remote.remote?.endpoints).toHaveLength(2)
    expect(schemaDisagreements(remote, schema)).toEqual([])
  })
})
