/** What the report needs to know of the stream that it is printed on. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The variables that are read: `CI`, `NO_COLOR`, `TERM`, `PIXPRESS_REPORT` and `PIXPRESS_PROFILE`. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface TableStyle {
  /** Columns that no line goes beyond. At least 39. */
  readonly width: number
  readonly color: boolean
  /** Every image, however many, and also when all came from the cache. */
  readonly full: boolean
  /** What asks for that, as a person gives it. Default: `PIXPRESS_REPORT=full` */
  readonly fullBy?: string
}

/** What fits the narrowest terminal that tables are made for: 40 columns. */
const MIN_WIDTH = 39

/** Log files have no width; most viewers show this much without wrapping. */
const LOG_COLUMNS = 120

/**
 * How to print on a stream: colours only on a terminal, outside CI, and unless `NO_COLOR` is set and not empty
 * (https://no-color.org); `PIXPRESS_REPORT=full` asks for every image.
 */
export function tableStyle(stream: OutputStream, environment: Environment): TableStyle {
  const interactive = isInteractive(stream, environment)
  return {
    width: Math.max(MIN_WIDTH, lineWidth(stream)),
    color: interactive && (environment['NO_COLOR'] ?? '') === '',
    full: environment['PIXPRESS_REPORT'] === 'full',
  }
}

/** Whether a person watches: a terminal that can move its cursor, and no CI. */
export function isInteractive(stream: OutputStream, environment: Environment): boolean {
  const inCI = !['', '0', 'false'].includes(environment['CI'] ?? '')
  return stream.isTTY === true && !inCI && environment['TERM'] !== 'dumb'
}

/** One column less than there are: some terminals wrap as soon as the last one is filled. Terminals in containers may say 0. */
export function lineWidth({ columns = 0 }: OutputStream): number {
  return columns > 0 ? Math.max(1, columns - 1) : LOG_COLUMNS - 1
}
