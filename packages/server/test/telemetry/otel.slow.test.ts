import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/index.ts'
import { serveFiles } from '../support/file-server.ts'
import type { FileServer } from '../support/file-server.ts'
import { sendRequest } from '../support/http.ts'
import { KEY, basic } from '../support/server.ts'
import { killServeProcesses, startServeProcess } from '../support/serve-process.ts'
import type { ServeProcess } from '../support/serve-process.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

interface SpanOfWire {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

interface Point {
  readonly attributes: readonly Attribute[]
  readonly asInt?: number | string
  readonly asDouble?: number
  readonly count?: number | string
  readonly explicitBounds?: readonly number[]
}

interface MetricOfWire {
  readonly name: string
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}

interface Scoped<Item extends string, Value> {
  readonly resource: { readonly attributes: readonly Attribute[] }
  readonly scopes: readonly Readonly<Record<Item, readonly Value[]>>[]
}

/** A collector of OTLP over HTTP: it decodes JSON, and keeps the types of other bodies. */
interface Collector {
  readonly url: string
  readonly text: () => string
  readonly types: Set<string>
  spans(): SpanOfWire[]
  metrics(): MetricOfWire[]
  resources(): Record<string, unknown>[]
  close(): Promise<void>
}

async function startCollector(status = 200): Promise<Collector> {
  const bodies: string[] = []
  const types = new Set<string>()
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      types.add(`${request.url} ${request.headers['content-type']}`)
      bodies.push(Buffer.concat(pieces).toString())
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const all = <Value>(outer: string, scope: string, item: string): Scoped<string, Value>[] =>
    bodies
      .filter((body) => body.startsWith(`{"${outer}"`))
      .flatMap((body) => (JSON.parse(body) as Record<string, Record<string, unknown>[]>)[outer]!)
      .map((each) => ({
        resource: each.resource as Scoped<string, Value>['resource'],
        scopes: (each[scope] as Record<string, Value[]>[]).map((one) => ({ items: one[item]! })),
      }))
  const items = <Value>(outer: string, scope: string, item: string): Value[] =>
    all<Value>(outer, scope, item).flatMap(({ scopes }) => scopes.flatMap((each) => each.items!))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    types,
    spans: () => items('resourceSpans', 'scopeSpans', 'spans'),
    metrics: () => items('resourceMetrics', 'scopeMetrics', 'metrics'),
    resources: () => all('resourceSpans', 'scopeSpans', 'spans').map(({ resource }) => facts(resource.attributes)),
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
}

const facts = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const authorization = basic(KEY)

let data: string
let files: FileServer
let collector: Collector
let jpeg: Buffer

beforeAll(async () => {
  data = await mkdtemp(path.join(os.tmpdir(), 'pixpress-otel-'))
  jpeg = await photo(64, 48).jpeg(97)
  files = await serveFiles({ '/secret-name.jpg': jpeg })
})
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(async () => {
  killServeProcesses()
  await collector.close()
})
afterAll(async () => {
  await files.close()
  await rm(data, { recursive: true, force: true })
})

const start = (env: Record<string, string> = {}, flags: readonly string[] = []): Promise<ServeProcess> =>
  startServeProcess(['--data', data, '--key', KEY, '--otel', 'otlp', '--allow-source', '127.0.0.1', ...flags], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_METRIC_EXPORT_TIMEOUT: '200',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...env,
  })

async function stop(server: ServeProcess): Promise<void> {
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
}

describe('pixpress serve --otel otlp', () => {
  it('sends a span for a request, below that of the client, and spans for fetch, wait and work below it', async () => {
    const server = await start()
    const json = { source: { url: `${files.url}/secret-name.jpg?token=planted-token` } }
    const traceparent = `00-${TRACE}-${PARENT}-01`
    const upload = await sendRequest('POST', new URL('/shrink', server.url), {
      authorization,
      json,
      headers: { traceparent },
    })
    expect(upload.status).toBe(201)
    const output = new URL(new URL(upload.headers.location!).pathname, server.url)
    const commands = { resize: { method: 'scale', width: 20 }, convert: { type: 'image/webp' } }
    const resized = await sendRequest('POST', output, { authorization, json: commands })
    expect(resized.status).toBe(200)
    await sendRequest('GET', new URL('/readyz', server.url))
    await stop(server)

    const spans = collector.spans()
    const root = spans.find(({ name }) => name === 'POST /shrink')!
    expect([root.traceId, root.parentSpanId]).toEqual([TRACE, PARENT])
    expect(facts(root.attributes)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/shrink',
      'http.response.status_code': 201,
    })
    const below = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
    expect(below.map(({ name }) => name).sort()).toEqual(['fetch', 'wait', 'work'])
    expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    const work = below.find(({ name }) => name === 'work')!
    expect(facts(work.attributes)).toEqual({
      'pixpress.operation': 'compress',
      'pixpress.input.type': 'image/jpeg',
      'pixpress.input.bytes': jpeg.length,
      'pixpress.input.pixels': 64 * 48,
      'pixpress.output.type': 'image/jpeg',
      'pixpress.output.bytes': upload.json<{ output: { size: number } }>().output.size,
    })
    const wait = below.find(({ name }) => name === 'wait')!
    expect(BigInt(wait.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(work.endTimeUnixNano))
    const other = spans.find(({ name }) => name === 'POST /output/:id')!
    expect(other.traceId).not.toBe(TRACE)
    const made = spans.find(({ name, parentSpanId }) => name === 'work' && parentSpanId === other.spanId)!
    expect(facts(made.attributes)).toMatchObject({
      'pixpress.operation': 'resize+convert',
      'pixpress.output.type': 'image/webp',
    })
    // Probes come every second.
    expect(spans.filter(({ name }) => name.includes('probe'))).toEqual([])
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'pixpress' })
    for (const secret of [KEY, 'planted-token', 'secret-name', '127.0.0.1:', data, output.pathname])
      expect([secret, collector.text().includes(secret)]).toEqual([secret, false])
  })

  it('marks what failed by a fixed word, and never by what a client has sent', async () => {
    const server = await start({ OTEL_SERVICE_NAME: 'images' })
    const json = { source: { url: `${files.url}/missing-planted` } }
    const answer = await sendRequest('POST', new URL('/shrink', server.url), { authorization, json })
    expect(answer.status).toBe(400)
    await stop(server)
    const fetched = collector.spans().find(({ name }) => name === 'fetch')!
    expect(fetched.status.code).toBe(2)
    expect(facts(fetched.attributes)).toEqual({ 'error.type': 'SourceNotFound' })
    expect(collector.text()).not.toContain('planted')
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'images' })
  })

  it('mirrors the metrics of /metrics, as counters, gauges and a histogram of the same buckets', async () => {
    const server = await start()
    for (let times = 0; times < 3; times++)
      await sendRequest('POST', new URL('/shrink', server.url), { authorization, body: jpeg })
    await stop(server)
    const last = (name: string): MetricOfWire => collector.metrics().findLast((metric) => metric.name === name)!
    const requests = last('pixpress_requests_total').sum!
    expect(requests.isMonotonic).toBe(true)
    expect(
      requests.dataPoints.map(({ attributes, asInt, asDouble }) => [facts(attributes), Number(asInt ?? asDouble)]),
    ).toEqual([[{ method: 'POST', route: '/shrink', status: '201' }, 3]])
    const compressions = last('pixpress_compressions_total').sum!.dataPoints
    const shrunk = compressions.find(({ attributes }) => facts(attributes).operation === 'shrink')!
    expect(Number(shrunk.asInt ?? shrunk.asDouble)).toBe(3)
    expect(last('pixpress_queue_length').gauge!.dataPoints).toHaveLength(1)
    const [duration] = last('pixpress_request_duration_seconds').histogram!.dataPoints
    expect(Number(duration!.count)).toBe(3)
    expect(duration!.explicitBounds).toEqual([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])
    expect(collector.text()).not.toContain(KEY)
  })

  it('speaks protobuf where no variable says otherwise, to the usual paths', async () => {
    const server = await start({ OTEL_EXPORTER_OTLP_PROTOCOL: '' })
    await sendRequest('POST', new URL('/shrink', server.url), { authorization, body: jpeg })
    await stop(server)
    expect([...collector.types].sort()).toEqual([
      '/v1/metrics application/x-protobuf',
      '/v1/traces application/x-protobuf',
    ])
    expect(collector.text()).toContain('POST /shrink')
  })

  it('serves on and ends where the collector refuses or is away, and says so in the log', async () => {
    const refusing = await startCollector(403)
    const password = 'planted-password'
    const endpoint = refusing.url.replace('//', `//user:${password}@`)
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const answer = await sendRequest('POST', new URL('/shrink', server.url), { authorization, body: jpeg })
    expect(answer.status).toBe(201)
    await expect.poll(() => server.output().stdout, { timeout: 30_000 }).toContain('"event":"telemetry"')
    await refusing.close()
    await stop(server)
    expect(server.output().stdout + server.output().stderr).not.toContain(password)
  })

  it('is refused by name where it is no word of the flag', () => {
    expect(() => resolveSettings({ otel: 'jaeger' })).toThrow(/'otlp' or 'none'.*'--otel'|'--otel'.*'otlp' or 'none'/)
    expect(resolveSettings({}).otel).toBe('none')
  })
})
