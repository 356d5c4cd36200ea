import path from 'node:path'
import { isInteractive, lineWidth } from './terminal.ts'
import type { Environment, OutputStream } from './terminal.ts'
import { shortenMiddle } from './text-width.ts'
import { visibleText } from './visible-text.ts'

/** A line on the terminal that shows how far the images are: `pixpress  12/40 images  3 working  hero.jpg`. */
export interface Progress {
  /** An image is waited for from now on. Repeats of an identity count once. */
  begin(id: string, file: string): void
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
  /** Images worked on at once; the others wait for their turn. */
  readonly concurrency: number
  /** Default: stderr. Nothing is ever written unless it is a terminal. */
  readonly stream?: ProgressStream
  readonly environment?: Environment
}

/** Milliseconds between two updates of the line. */
const INTERVAL = 100

/** Updates to skip at first: work that takes less than 400 ms shows no line. */
const PATIENCE = 4

const GAP = '  '

/** Columns below which a name says nothing. */
const MIN_NAME = 6

/** To the first column, and erase the line (ECMA-48 `EL 2`). */
const ERASE = '\r\u001B[2K'

const nothing = (): void => undefined

const SILENT: Progress = { begin: nothing, end: nothing, clear: nothing, finish: nothing }

export function createProgress(settings: ProgressSettings): Progress {
  const { enabled, concurrency, stream = process.stderr, environment = process.env } = settings
  if (!enabled || !isInteractive(stream, environment)) {
    return SILENT
  }
  /** Names by identity, longest waited for first. */
  const waiting = new Map<string, string>()
  const done = new Set<string>()
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
    if (waiting.size === 0) {
      stop()
      erase()
    } else if (ticks >= PATIENCE) {
      draw()
    }
  }

  function draw(): void {
    const [current = ''] = waiting.values()
    const images = `${done.size}/${done.size + waiting.size} images`
    const figures = `pixpress  ${images}  ${Math.min(waiting.size, concurrency)} working`
    const width = lineWidth(stream)
    const room = width - figures.length - GAP.length
    const name = room < MIN_NAME ? '' : GAP + shortenMiddle(visibleText(current), room)
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
    begin(id, file) {
      if (!done.has(id) && !waiting.has(id)) waiting.set(id, path.basename(file))
      timer ??= setInterval(tick, INTERVAL).unref()
    },
    end(id) {
      if (waiting.delete(id)) done.add(id)
    },
    clear: erase,
    finish() {
      done.clear()
      if (waiting.size === 0) stop()
      erase()
    },
  }
}
