/** Writes one line of JSON per event. Values are never secrets: no key, no credentials, no URL with its query. */
export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** The fields of a line in the log. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** @param write takes one line without its end */
export function createLog(write: (line: string) => void): Log {
  const logger =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      write(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }))
  return { info: logger('info'), warn: logger('warn'), error: logger('error') }
}

/** Describes an error and what caused it, for the log only. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`)
  }
  return {
    error: `${error.name}: ${error.message}`,
    ...(causes.length > 0 && { cause: causes.join(' ← ') }),
    ...(error.stack !== undefined && { stack: error.stack }),
  }
}
