import { AsyncLocalStorage } from 'node:async_hooks'
import { PixpressError } from '@pixpress/core'
import type { api } from '@opentelemetry/sdk-node'
import type { Log } from './log.ts'
import { DURATION, DURATION_BUCKETS } from './metrics.ts'
import type { Family } from './families.ts'
import type { Attributes, OpenSpan, Telemetry, Tracing } from './tracing.ts'

type Sdk = typeof import('@opentelemetry/sdk-node')

/** The scope of all spans and metrics, and the name of the service where no variable gives one. */
const NAME = 'pixpress'

/** Milliseconds for what is left at the end: a collector that is away must not hold up a restart. */
const LAST_WAIT = 5000

/**
 * Starts OpenTelemetry by its own SDK, which variables `OTEL_*` configure. Only the attributes of the environment
 * describe the process: the SDK would also send its command line, in which keys may be.
 * @throws PixpressError `MACHINE_UNFIT` where the SDK is not installed
 */
export async function startOtel(env: Readonly<Record<string, string | undefined>>, log: Log): Promise<Telemetry> {
  const sdk = await load()
  const { NodeSDK, api: otel, resources } = sdk
  otel.diag.setLogger(reporting(log), { logLevel: otel.DiagLogLevel.WARN, suppressOverrideMessage: true })
  const isNamed = env.OTEL_SERVICE_NAME !== undefined || /\bservice\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? '')
  const node = new NodeSDK({
    ...(!isNamed && { serviceName: NAME }),
    resourceDetectors: [resources.envDetector],
    instrumentations: [],
    logRecordProcessors: [],
  })
  node.start()
  return {
    tracing: createTracing(sdk),
    mirror: mirrorOf(otel),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WAIT).unref())
      await Promise.race([node.shutdown().catch(() => undefined), late])
    },
  }
}

async function load(): Promise<Sdk> {
  try {
    return await import('@opentelemetry/sdk-node')
  } catch (error) {
    throw new PixpressError(
      'MACHINE_UNFIT',
      "'--otel otlp' needs the packages of OpenTelemetry, which are not installed where the server is: " +
        'npm install @opentelemetry/sdk-node @opentelemetry/api',
      { cause: error },
    )
  }
}

/** Reports failures of the SDK in the log, by the first line and without credentials of URLs. */
function reporting({ warn }: Log): api.DiagLogger {
  const report = (message: string): void =>
    warn('telemetry', {
      reason: message
        .split('\n', 1)[0]!
        .replaceAll(/\/\/[^@/\s]*@/g, '//')
        .slice(0, 300),
    })
  return { error: report, warn: report, info: () => undefined, debug: () => undefined, verbose: () => undefined }
}

function createTracing({ api: otel, core }: Sdk): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = otel
  const tracer = trace.getTracer(NAME)
  const propagator = new core.W3CTraceContextPropagator()
  // A storage of our own, so that programs around the server keep theirs.
  const current = new AsyncLocalStorage<api.Context>()
  const now = (): api.Context => current.getStore() ?? ROOT_CONTEXT
  const openOf = (span: api.Span): OpenSpan => ({
    set: (attributes: Attributes) => void span.setAttributes(attributes),
    fail(reason) {
      span.setAttribute('error.type', reason)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  })

  async function run<T>(span: api.Span, context: api.Context, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const open = openOf(span)
    try {
      return await current.run(trace.setSpan(context, span), () => work(open))
    } catch (error) {
      // The message may repeat what a client has sent.
      open.fail(reasonOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    on: true,
    request(name, parent, work) {
      const carrier = { traceparent: parent }
      const getter = { get: () => carrier.traceparent, keys: () => ['traceparent'] }
      const context = propagator.extract(ROOT_CONTEXT, carrier, getter)
      return run(tracer.startSpan(name, { kind: SpanKind.SERVER }, context), context, work)
    },
    span(name, work) {
      const context = now()
      return run(tracer.startSpan(name, {}, context), context, work)
    },
    begin(name) {
      const span = tracer.startSpan(name, {}, now())
      let isOver = false
      return () => {
        if (!isOver) span.end()
        isOver = true
      }
    },
    bind(work) {
      const context = now()
      return () => current.run(context, work)
    },
  }
}

/** Returns a word for an error: its code, or its class. */
function reasonOf(error: unknown): string {
  const { code, error: name } = error as { code?: unknown; error?: unknown }
  if (typeof name === 'string') return name
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown'
}

/** Mirrors the metrics: counters and gauges are read when the SDK looks, durations are told as they come. */
function mirrorOf({ metrics }: Pick<Sdk['api'], 'metrics'>): NonNullable<Telemetry['mirror']> {
  const meter = metrics.getMeter(NAME)
  const durations = meter.createHistogram(DURATION, {
    description: 'Time from the headers of a request to its answer.',
    unit: 's',
    advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] },
  })
  return {
    duration: (seconds, labels) => durations.record(seconds, labels),
    start(families) {
      const instruments = new Map(families().map((family) => [family.name, instrumentOf(meter, family)]))
      meter.addBatchObservableCallback(
        (result) => {
          for (const { name, samples } of families())
            for (const [labels, value] of samples) result.observe(instruments.get(name)!, value, labels)
        },
        [...instruments.values()],
      )
    },
  }
}

function instrumentOf(meter: api.Meter, { name, type, help }: Family): api.Observable {
  const options = { description: help }
  return type === 'counter' ? meter.createObservableCounter(name, options) : meter.createObservableGauge(name, options)
}
