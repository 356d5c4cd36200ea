import http from 'node:http'

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** Values that are read when the metrics are asked for. */
export interface Gauges {
  readonly queueLength: () => number
  readonly working: () => number
  readonly uploadBytes: () => number
  /** `undefined` where no work is shared. */
  readonly shared?: (() => SharedCounts) | undefined
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
  /** Renders the text format of Prometheus, version 0.0.4. */
  render(gauges: Gauges): string
}

interface Histogram {
  readonly counts: number[]
  sum: number
  total: number
}

/**
 * Creates the counters of this process, one list of all metrics. Label values are a fixed few, never anything from a
 * request.
 */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Histogram>()
  const bytes = { in: 0, out: 0 }
  const compressions = { shrink: 0, resize: 0, convert: 0, store: 0 }

  return {
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
    render({ queueLength, working, uploadBytes, shared }) {
      const lines: string[] = []
      const family = (
        name: string,
        type: string,
        help: string,
        samples: readonly (readonly [string, number])[],
      ): void => {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
        for (const [labels, value] of samples) lines.push(`${name}${labels} ${value}`)
      }
      family(
        'pixpress_requests_total',
        'counter',
        'Requests answered.',
        [...requests].map(([labels, count]) => [`{${labels}}`, count]),
      )
      lines.push(
        '# HELP pixpress_request_duration_seconds Time from the headers of a request to its answer.',
        '# TYPE pixpress_request_duration_seconds histogram',
      )
      for (const [labels, { counts, sum, total }] of durations) {
        for (const [index, bound] of BUCKETS.entries()) {
          lines.push(`pixpress_request_duration_seconds_bucket{${labels},le="${bound}"} ${counts[index]}`)
        }
        lines.push(
          `pixpress_request_duration_seconds_bucket{${labels},le="+Inf"} ${total}`,
          `pixpress_request_duration_seconds_sum{${labels}} ${sum}`,
          `pixpress_request_duration_seconds_count{${labels}} ${total}`,
        )
      }
      family('pixpress_body_bytes_total', 'counter', 'Bytes of bodies received and sent.', [
        ['{direction="in"}', bytes.in],
        ['{direction="out"}', bytes.out],
      ])
      family(
        'pixpress_compressions_total',
        'counter',
        'Compressions counted.',
        Object.entries(compressions).map(([operation, count]) => [`{operation="${operation}"}`, count]),
      )
      family('pixpress_queue_length', 'gauge', 'Images that wait for their turn.', [['', queueLength()]])
      family('pixpress_images_in_work', 'gauge', 'Images worked on.', [['', working()]])
      family('pixpress_upload_bytes', 'gauge', 'Bytes of uploads held in memory.', [['', uploadBytes()]])
      const counts = shared?.()
      if (counts !== undefined) {
        family('pixpress_shared_waiting', 'gauge', 'Own images that any server may take.', [['', counts.waiting]])
        const help = 'Images of uploads to another server that this one has done.'
        family('pixpress_shared_done_for_others_total', 'counter', help, [['', counts.doneForOthers]])
        const own = 'Own images that another server has done.'
        family('pixpress_shared_done_by_others_total', 'counter', own, [['', counts.doneByOthers]])
        family('pixpress_shared_taken_over_total', 'counter', 'Own images of which whoever had them was gone.', [
          ['', counts.takenOver],
        ])
      }
      family('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', [
        ['', process.memoryUsage.rss()],
      ])
      return `${lines.join('\n')}\n`
    },
  }
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
