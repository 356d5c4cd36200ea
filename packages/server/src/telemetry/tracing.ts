import type { Labels } from './families.ts'
import type { Family } from './families.ts'

/** Facts of a span. They are never a key, a URL or a name that a client has given. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A span that is under way. */
export interface OpenSpan {
  set(attributes: Attributes): void
  /** Marks it as failed. @param reason a fixed word, such as the code of an error */
  fail(reason: string): void
}

/** Traces of requests. Spans are below the one that is under way where they begin. */
export interface Tracing {
  /** Traces are kept: whoever has to count something for them need not do so otherwise. */
  readonly on: boolean
  /**
   * Runs the work on a request in a span of its own.
   * @param parent `traceparent` of W3C Trace Context, as the client has sent it
   */
  request<T>(name: string, parent: string | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Runs work in a span. Where it throws, the span has failed. */
  span<T>(name: string, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Begins a span that waits for its end, and returns what ends it; further calls do nothing. */
  begin(name: string): () => void
  /** Returns work that belongs to the span that is under way now, whoever calls it. */
  bind<T>(work: () => T): () => T
}

/** Traces and metrics that are sent to a collector. */
export interface Telemetry {
  readonly tracing: Tracing
  /** Sends the metrics with each look at them. `undefined`: they are not sent. */
  readonly mirror?: {
    duration(seconds: number, labels: Labels): void
    start(families: () => Family[]): void
  }
  /** Sends what is left. */
  close(): Promise<void>
}

const NO_SPAN: OpenSpan = { set: () => undefined, fail: () => undefined }

/** Traces nothing. */
export const NO_TRACING: Tracing = {
  on: false,
  request: (_name, _parent, work) => work(NO_SPAN),
  span: (_name, work) => work(NO_SPAN),
  begin: () => () => undefined,
  bind: (work) => work,
}

/** Sends nothing. */
export const NO_TELEMETRY: Telemetry = { tracing: NO_TRACING, close: () => Promise.resolve() }
