/** The members of a stream that decide how a report is printed. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Environment variables. `CI`, `NO_COLOR`, `TERM`, `PIXPRESS_REPORT` and `PIXPRESS_PROFILE` are read. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Style of the text that a person reads. */
export interface TableStyle {
  /** Columns that no line exceeds. At least 39. */
  readonly width: number
  readonly color: boolean
  /** Shows every image, however many there are, and even if all came from the cache. */
  readonly full: boolean
  /** The setting that sets `full`, as a person writes it. Default: `PIXPRESS_REPORT=full`. */
  readonly fullBy?: string
}

/** Columns of the narrowest terminal that tables are made for: 40 columns, of which the last stays empty. */
const MIN_WIDTH = 39

/** Log files have no width. Most viewers show so many columns without wrapping. */
const LOG_COLUMNS = 120

/**
 * Returns the style for a stream. Colours are used only if a person watches a terminal, outside CI, and if `NO_COLOR`
 * is unset or empty (https://no-color.org). `PIXPRESS_REPORT=full` sets `full`.
 */
export function tableStyle(stream: OutputStream, environment: Environment): TableStyle {
  const interactive = isInteractive(stream, environment)
  return {
    width: Math.max(MIN_WIDTH, lineWidth(stream)),
    color: interactive && (environment['NO_COLOR'] ?? '') === '',
    full: environment['PIXPRESS_REPORT'] === 'full',
  }
}

/** Returns `true` if a person watches: the stream is a terminal that can move its cursor, and CI is not set. */
export function isInteractive(stream: OutputStream, environment: Environment): boolean {
  const inCI = !['', '0', 'false'].includes(environment['CI'] ?? '')
  return stream.isTTY === true && !inCI && environment['TERM'] !== 'dumb'
}

/**
 * Returns one column less than the terminal has, as some terminals wrap as soon as the last column is filled. A
 * terminal in a container may report 0 columns; then the width of log files is used.
 */
export function lineWidth({ columns = 0 }: OutputStream): number {
  return columns > 0 ? Math.max(1, columns - 1) : LOG_COLUMNS - 1
}
