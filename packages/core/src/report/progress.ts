import path from 'node:path'
import { GAP, createProgressCount } from './progress-count.ts'
import type { ProgressTotal } from './progress-count.ts'
import { isInteractive, lineWidth } from './terminal.ts'
import type { Environment, OutputStream } from './terminal.ts'
import { shortenMiddle } from './text-width.ts'
import { visibleText } from '../base/visible-text.ts'

export type { ProgressTotal } from './progress-count.ts'

/**
 * A line on the terminal that shows how far the images are: `pixpress  12/40 images  3.1 MB of 9.8 MB  1 min 20 s left  hero.jpg`.
 * All there is to do is what is expected, or what has begun where nothing is.
 */
export interface Progress {
  /** Whether anybody sees it: what it alone needs need not be found out otherwise. */
  readonly isShown: boolean
  /** Counts anew, towards this total; the time left is estimated from now on. */
  expect(total: ProgressTotal): void
  /**
   * An image is waited for from now on. Repeats of an identity count once.
   * @param bytes of the source
   * @param weight how much work it is, next to others; default: its bytes
   */
  begin(id: string, file: string, bytes: number, weight?: number): void
  end(id: string): void
  /** Takes the line away, so that something else can be printed. It comes back while there is work. */
  clear(): void
  /** Takes the line away and counts anew, but for images that are still waited for. */
  finish(): void
}

export interface ProgressStream extends OutputStream {
  write(text: string): unknown
}

export interface ProgressSettings {
  readonly enabled: boolean
  /** Default: stderr. Nothing is ever written unless it is a terminal. */
  readonly stream?: ProgressStream
  readonly environment?: Environment
}

/** Milliseconds between two updates of the line. */
const INTERVAL = 100

/** Updates to skip at first: work that takes less than 400 ms shows no line. */
const PATIENCE = 4

/** Columns below which a name says nothing. */
const MIN_NAME = 6

/** To the first column, and erase the line (ECMA-48 `EL 2`). */
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

export function createProgress(settings: ProgressSettings): Progress {
  const { enabled, stream = process.stderr, environment = process.env } = settings
  if (!enabled || !isInteractive(stream, environment)) {
    return SILENT
  }
  const count = createProgressCount()
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let shown = ''

  function erase(): void {
    if (shown !== '') stream.write(ERASE)
    shown = ''
  }

  /** Pauses shorter than an interval, between images that come one after the other, do not take the line away. */
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
