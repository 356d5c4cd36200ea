import path from 'node:path'
import { GAP, createProgressCount } from './progress-count.ts'
import type { ProgressTotal } from './progress-count.ts'
import { isInteractive, lineWidth } from './terminal.ts'
import type { Environment, OutputStream } from './terminal.ts'
import { shortenMiddle } from './text-width.ts'
import { visibleText } from '../base/visible-text.ts'

export type { ProgressTotal } from './progress-count.ts'

/**
 * A progress line on the terminal: `pixpress  12/40 images  3.1 MB of 9.8 MB  1 min 20 s left  hero.jpg`. The total is
 * the one that `expect` was given, or else all images that have begun.
 */
export interface Progress {
  /** `true` if the line is shown. Otherwise, figures that only the line needs need not be computed. */
  readonly isShown: boolean
  /** Starts again from 0, towards this total. The time left is estimated from now on. */
  expect(total: ProgressTotal): void
  /**
   * Counts an image as begun. A repeated identity counts once.
   * @param file path of the source, whose name the line shows
   * @param bytes size of the source
   * @param weight amount of work, relative to the other images; default: `bytes`
   */
  begin(id: string, file: string, bytes: number, weight?: number): void
  end(id: string): void
  /** Erases the line so that something else can be printed. The line comes back while images are waited for. */
  clear(): void
  /** Erases the line and starts again from 0, except for images that have begun and not ended. */
  finish(): void
}

/** The stream that the line is written to. */
export interface ProgressStream extends OutputStream {
  write(text: string): unknown
}

/** Settings of `createProgress`. */
export interface ProgressSettings {
  readonly enabled: boolean
  /** Default: stderr. Nothing is written unless the stream is a terminal and a person watches it. */
  readonly stream?: ProgressStream
  readonly environment?: Environment
  /** Writes the figures as a line every ten seconds where no person watches. Default: nothing is written there. */
  readonly lines?: boolean
}

/** Milliseconds between two updates of the line. */
const INTERVAL = 100

/** Milliseconds between two lines where no person watches: logs of builds keep every one. */
const LINE_INTERVAL = 10_000

/** Columns of a line where no terminal has a width. */
const LINE_WIDTH = 100

/** Updates to skip at first, so that work of less than 400 ms shows no line. */
const PATIENCE = 4

/** A file name is left out if it would have fewer columns. */
const MIN_NAME = 6

/** Moves the cursor to the first column and erases the line (ECMA-48 `EL 2`). */
const ERASE = '\r\u001B[2K'

const nothing = (): void => undefined

const SILENT: Progress = {
  isShown: false,
  expect: nothing,
  begin: nothing,
  end: nothing,
  clear: nothing,
  finish: nothing,
}

/** Writes the figures now and then, for logs. */
function createLines(stream: ProgressStream): Progress {
  const count = createProgressCount()
  let timer: NodeJS.Timeout | undefined
  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
  return {
    isShown: false,
    expect: count.expect,
    begin(id, file, bytes, weight = bytes) {
      count.begin(id, { name: path.basename(file), bytes, weight })
      timer ??= setInterval(() => stream.write(`${count.figuresWithin(LINE_WIDTH)}\n`), LINE_INTERVAL).unref()
    },
    end: count.end,
    clear: nothing,
    finish() {
      count.startOver()
      stop()
    },
  }
}

/** Creates a progress line. It does nothing if it is disabled, or if no person watches the stream. */
export function createProgress(settings: ProgressSettings): Progress {
  const { enabled, stream = process.stderr, environment = process.env, lines = false } = settings
  if (!enabled) return SILENT
  if (!isInteractive(stream, environment)) return lines ? createLines(stream) : SILENT
  const count = createProgressCount()
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let shown = ''

  function erase(): void {
    if (shown !== '') stream.write(ERASE)
    shown = ''
  }

  /**
   * Draws the line, or erases it if no image is waited for. A gap shorter than one interval between two images does not
   * erase the line.
   */
  function tick(): void {
    ticks++
    if (count.isIdle) {
      stop()
      erase()
    } else if (ticks >= PATIENCE) {
      draw()
    }
  }

  function draw(): void {
    const width = lineWidth(stream)
    const figures = count.figuresWithin(width)
    const room = width - figures.length - GAP.length
    const name = room < MIN_NAME ? '' : GAP + shortenMiddle(visibleText(count.current ?? ''), room)
    const line = shortenMiddle(figures + name, width)
    if (line === shown) return
    stream.write(ERASE + line)
    shown = line
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    ticks = 0
  }

  return {
    isShown: true,
    expect: count.expect,
    begin(id, file, bytes, weight = bytes) {
      count.begin(id, { name: path.basename(file), bytes, weight })
      timer ??= setInterval(tick, INTERVAL).unref()
    },
    end: count.end,
    clear: erase,
    finish() {
      count.startOver()
      if (count.isIdle) stop()
      erase()
    },
  }
}
