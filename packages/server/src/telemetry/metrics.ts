import http from 'node:http'
import { createAccountCounters } from './account-counters.ts'
import type { AccountCounters } from './account-counters.ts'
import { ALONE, labelsText, linesOf } from './families.ts'
import type { Family, Labels, Samples } from './families.ts'

/** The name of the duration histogram, whose labels are those of requests without their status. */
export const DURATION = 'pixpress_request_duration_seconds'

/** Upper bounds of its buckets, in seconds. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** Values that are read when the metrics are asked for. */
export interface Gauges {
  readonly queueLength: () => number
  readonly working: () => number
  readonly uploadBytes: () => number
  /** Images by the name of their account. */
  readonly accounts: () => ReadonlyMap<string, ImageCounts>
}

/** Images of one account: those that wait now, and those that were begun and refused so far. */
export interface ImageCounts {
  readonly waiting: number
  readonly admitted: number
  readonly refused: number
}

/** The metrics of the server, in Prometheus' text format. */
export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void
  bytes(direction: 'in' | 'out', count: number): void
  compressions(operation: 'shrink' | 'resize' | 'convert' | 'store'): void
  account: AccountCounters['add']
  /** A picture has been delivered; once for requests that came together for one that was not in memory. */
  delivered(this: void, from: DeliveredFrom): void
  /** Returns all metrics but the histogram. */
  families(gauges: Gauges): Family[]
  /** Renders the text format of Prometheus, version 0.0.4. */
  render(gauges: Gauges): string
}

/** Where a delivered picture came from. */
export type DeliveredFrom = 'memory' | 'storage' | 'made'

interface Histogram {
  readonly labels: Labels
  readonly counts: number[]
  sum: number
  total: number
}

/** The counts of this process. */
interface Counts {
  /** Requests by the text of their labels. */
  readonly requests: Map<string, { readonly labels: Labels; count: number }>
  /** Seconds of requests by the text of their labels. */
  readonly durations: Map<string, Histogram>
  readonly bytes: Record<'in' | 'out', number>
  readonly compressions: Record<'shrink' | 'resize' | 'convert' | 'store', number>
  readonly delivered: Record<DeliveredFrom, number>
}

/** Takes the duration of each request as well. */
export type OnDuration = (seconds: number, labels: Labels) => void

/**
 * Creates the counters of this process. Label values are a fixed few and the names of accounts, never anything from a
 * request.
 */
export function createMetrics(onDuration?: OnDuration): Metrics {
  const counts: Counts = {
    requests: new Map(),
    durations: new Map(),
    bytes: { in: 0, out: 0 },
    compressions: { shrink: 0, resize: 0, convert: 0, store: 0 },
    delivered: { memory: 0, storage: 0, made: 0 },
  }
  const { requests, durations, bytes, compressions, delivered } = counts
  const accounts = createAccountCounters()
  const families = (given: Gauges): Family[] => [...counters(counts), ...accounts.families(), ...gauges(given)]
  return {
    account: accounts.add,
    request(route, method, status, seconds) {
      const labels = { method, route, status: String(status) }
      const name = labelsText(labels)
      const answered = requests.get(name) ?? { labels, count: 0 }
      answered.count++
      requests.set(name, answered)
      const kind = { method, route }
      const key = labelsText(kind)
      const histogram = durations.get(key) ?? { labels: kind, counts: DURATION_BUCKETS.map(() => 0), sum: 0, total: 0 }
      durations.set(key, histogram)
      onDuration?.(seconds, kind)
      for (const [index, bound] of DURATION_BUCKETS.entries()) if (seconds <= bound) histogram.counts[index]!++
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
    families,
    render: (given) =>
      `${[...histogramText(counts), ...families(given).flatMap((family) => linesOf(family))].join('\n')}\n`,
  }
}

function histogramText({ durations }: Counts): string[] {
  return [
    `# HELP ${DURATION} Time from the headers of a request to its answer.`,
    `# TYPE ${DURATION} histogram`,
    ...[...durations.values()].flatMap((histogram) => histogramLines(histogram)),
  ]
}

const counter = (name: string, help: string, samples: Samples): Family => ({ name, type: 'counter', help, samples })

const gauge = (name: string, help: string, samples: Samples): Family => ({ name, type: 'gauge', help, samples })

const byName = (label: string, counts: Readonly<Record<string, number>>): Samples =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count])

function counters({ requests, bytes, compressions, delivered }: Counts): Family[] {
  return [
    counter(
      'pixpress_requests_total',
      'Requests answered.',
      [...requests.values()].map(({ labels, count }) => [labels, count]),
    ),
    counter('pixpress_body_bytes_total', 'Bytes of bodies received and sent.', byName('direction', bytes)),
    counter('pixpress_compressions_total', 'Compressions counted.', byName('operation', compressions)),
    counter('pixpress_delivered_total', 'Pictures delivered.', byName('from', delivered)),
  ]
}

function histogramLines({ labels, counts, sum, total }: Histogram): string[] {
  const text = labelsText(labels)
  return [
    ...DURATION_BUCKETS.map((bound, index) => `${DURATION}_bucket{${text},le="${bound}"} ${counts[index]}`),
    `${DURATION}_bucket{${text},le="+Inf"} ${total}`,
    `${DURATION}_sum{${text}} ${sum}`,
    `${DURATION}_count{${text}} ${total}`,
  ]
}

function gauges({ queueLength, working, uploadBytes, accounts }: Gauges): Family[] {
  return [
    gauge('pixpress_queue_length', 'Images that wait for their turn.', [[ALONE, queueLength()]]),
    gauge('pixpress_images_in_work', 'Images worked on.', [[ALONE, working()]]),
    gauge('pixpress_upload_bytes', 'Bytes of uploads held in memory.', [[ALONE, uploadBytes()]]),
    ...ofAccounts(accounts()),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', [[ALONE, process.memoryUsage.rss()]]),
  ]
}

function ofAccounts(accounts: ReadonlyMap<string, ImageCounts>): Family[] {
  const samples = (value: (counts: ImageCounts) => number): Samples =>
    [...accounts].map(([account, counts]) => [{ account }, value(counts)])
  return [
    gauge(
      'pixpress_account_waiting',
      'Images of an account that wait.',
      samples(({ waiting }) => waiting),
    ),
    counter(
      'pixpress_account_admitted_total',
      'Images of an account whose turn has come.',
      samples(({ admitted }) => admitted),
    ),
    counter(
      'pixpress_account_refused_total',
      'Images of an account that were answered with 503, as too many waited.',
      samples(({ refused }) => refused),
    ),
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
