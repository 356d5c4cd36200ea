import http from 'node:http'
import { createAccountCounters } from './account-counters.ts'
import type { AccountCounters } from './account-counters.ts'
import { family } from './families.ts'
import type { Samples } from './families.ts'

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** Values that are read when the metrics are asked for. */
export interface Gauges {
  readonly queueLength: () => number
  readonly working: () => number
  readonly uploadBytes: () => number
  /** Images by the name of their account. */
  readonly accounts: () => ReadonlyMap<string, ImageCounts>
  /** `undefined` where no work is shared. */
  readonly shared?: (() => SharedCounts) | undefined
}

/** Images of one account: those that wait now, and those that were begun and refused so far. */
export interface ImageCounts {
  readonly waiting: number
  readonly admitted: number
  readonly refused: number
}

/** Counts of the work that servers share, as this server sees it. */
export interface SharedCounts {
  /** Its uploads that others may take, and nobody has. */
  readonly waiting: number
  readonly doneForOthers: number
  readonly doneByOthers: number
  /** Its uploads of which whoever had them was gone. */
  readonly takenOver: number
}

/** The metrics of the server, in Prometheus' text format. */
export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void
  bytes(direction: 'in' | 'out', count: number): void
  compressions(operation: 'shrink' | 'resize' | 'convert' | 'store'): void
  account: AccountCounters['add']
  /** A picture has been delivered; once for requests that came together for one that was not in memory. */
  delivered(this: void, from: DeliveredFrom): void
  /** Renders the text format of Prometheus, version 0.0.4. */
  render(gauges: Gauges): string
}

/** Where a delivered picture came from. */
export type DeliveredFrom = 'memory' | 'storage' | 'made'

interface Histogram {
  readonly counts: number[]
  sum: number
  total: number
}

/** The counts of this process. */
interface Counts {
  /** Requests by their labels. */
  readonly requests: Map<string, number>
  /** Seconds of requests by their labels. */
  readonly durations: Map<string, Histogram>
  readonly bytes: Record<'in' | 'out', number>
  readonly compressions: Record<'shrink' | 'resize' | 'convert' | 'store', number>
  readonly delivered: Record<DeliveredFrom, number>
}

/**
 * Creates the counters of this process. Label values are a fixed few and the names of accounts, never anything from a
 * request.
 */
export function createMetrics(): Metrics {
  const counts: Counts = {
    requests: new Map(),
    durations: new Map(),
    bytes: { in: 0, out: 0 },
    compressions: { shrink: 0, resize: 0, convert: 0, store: 0 },
    delivered: { memory: 0, storage: 0, made: 0 },
  }
  const { requests, durations, bytes, compressions, delivered } = counts
  const accounts = createAccountCounters()
  return {
    account: accounts.add,
    request(route, method, status, seconds) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const key = `method="${method}",route="${route}"`
      const histogram = durations.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 }
      durations.set(key, histogram)
      for (const [index, bound] of BUCKETS.entries()) if (seconds <= bound) histogram.counts[index]!++
      histogram.sum += seconds
      histogram.total++
    },
    bytes(direction, count) {
      bytes[direction] += count
    },
    compressions(operation) {
      compressions[operation]++
    },
    delivered(from) {
      delivered[from]++
    },
    render: (gauges) => `${[...counterLines(counts), ...accounts.lines(), ...gaugeLines(gauges)].join('\n')}\n`,
  }
}

function counterLines({ requests, durations, bytes, compressions, delivered }: Counts): string[] {
  const answered: Samples = [...requests].map(([labels, count]) => [`{${labels}}`, count])
  const counted: Samples = Object.entries(compressions).map(([name, count]) => [`{operation="${name}"}`, count])
  return [
    ...family('pixpress_requests_total', 'counter', 'Requests answered.', answered),
    '# HELP pixpress_request_duration_seconds Time from the headers of a request to its answer.',
    '# TYPE pixpress_request_duration_seconds histogram',
    ...[...durations].flatMap(([labels, histogram]) => histogramLines(labels, histogram)),
    ...family('pixpress_body_bytes_total', 'counter', 'Bytes of bodies received and sent.', [
      ['{direction="in"}', bytes.in],
      ['{direction="out"}', bytes.out],
    ]),
    ...family('pixpress_compressions_total', 'counter', 'Compressions counted.', counted),
    ...family('pixpress_delivered_total', 'counter', 'Pictures delivered.', [
      ['{from="memory"}', delivered.memory],
      ['{from="storage"}', delivered.storage],
      ['{from="made"}', delivered.made],
    ]),
  ]
}

function histogramLines(labels: string, { counts, sum, total }: Histogram): string[] {
  const name = 'pixpress_request_duration_seconds'
  return [
    ...BUCKETS.map((bound, index) => `${name}_bucket{${labels},le="${bound}"} ${counts[index]}`),
    `${name}_bucket{${labels},le="+Inf"} ${total}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${total}`,
  ]
}

function gaugeLines({ queueLength, working, uploadBytes, accounts, shared }: Gauges): string[] {
  const counts = shared?.()
  return [
    ...family('pixpress_queue_length', 'gauge', 'Images that wait for their turn.', [['', queueLength()]]),
    ...family('pixpress_images_in_work', 'gauge', 'Images worked on.', [['', working()]]),
    ...family('pixpress_upload_bytes', 'gauge', 'Bytes of uploads held in memory.', [['', uploadBytes()]]),
    ...accountLines(accounts()),
    ...(counts === undefined ? [] : sharedLines(counts)),
    ...family('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', [
      ['', process.memoryUsage.rss()],
    ]),
  ]
}

const sharedTotal = (name: string, help: string, count: number): string[] =>
  family(`pixpress_shared_${name}_total`, 'counter', help, [['', count]])

function accountLines(accounts: ReadonlyMap<string, ImageCounts>): string[] {
  const samples = (value: (counts: ImageCounts) => number): Samples =>
    [...accounts].map(([account, counts]) => [`{account="${account}"}`, value(counts)])
  return [
    ...family(
      'pixpress_account_waiting',
      'gauge',
      'Images of an account that wait.',
      samples(({ waiting }) => waiting),
    ),
    ...family(
      'pixpress_account_admitted_total',
      'counter',
      'Images of an account whose turn has come.',
      samples(({ admitted }) => admitted),
    ),
    ...family(
      'pixpress_account_refused_total',
      'counter',
      'Images of an account that were answered with 503, as too many waited.',
      samples(({ refused }) => refused),
    ),
  ]
}

function sharedLines({ waiting, doneForOthers, doneByOthers, takenOver }: SharedCounts): string[] {
  return [
    ...family('pixpress_shared_waiting', 'gauge', 'Own images that any server may take.', [['', waiting]]),
    ...sharedTotal('done_for_others', 'Images of uploads to another server that this one has done.', doneForOthers),
    ...sharedTotal('done_by_others', 'Own images that another server has done.', doneByOthers),
    ...sharedTotal('taken_over', 'Own images of which whoever had them was gone.', takenOver),
  ]
}

/** Serves the metrics on a port of their own, which need not be reachable from where clients come. */
export function createMetricsServer(render: () => string): http.Server {
  return http.createServer((request, response) => {
    const known = new URL(request.url ?? '/', 'http://localhost').pathname === '/metrics'
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    } else if (known) {
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(render())
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('The metrics are at /metrics.\n')
    }
  })
}
