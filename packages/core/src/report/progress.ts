import path from 'node:path'
import { isInteractive, lineWidth } from './terminal.ts'
import type { Environment, OutputStream } from './terminal.ts'
import { shortenMiddle } from './text-width.ts'
import { formatBytes, formatRemaining } from './units.ts'
import { visibleText } from './visible-text.ts'

/** All that there is to do, where that is known beforehand. */
export interface ProgressTotal {
  readonly images: number
  /** Of the sources. */
  readonly bytes: number
}

/**
 * A line on the terminal that shows how far the images are: `pixpress  12/40 images  3.1 MB of 9.8 MB  1 min 20 s left  hero.jpg`.
 * All there is to do is what is expected, or what has begun where nothing is.
 */
export interface Progress {
  /** Counts anew, towards this total; the time left is estimated from now on. */
  expect(total: ProgressTotal): void
  /**
   * An image is waited for from now on. Repeats of an identity count once.
   * @param bytes of the source
   */
  begin(id: string, file: string, bytes: number): void
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

const GAP = '  '

/** Columns below which a name says nothing. */
const MIN_NAME = 6

/** To the first column, and erase the line (ECMA-48 `EL 2`). */
const ERASE = '\r\u001B[2K'

const nothing = (): void => undefined

const SILENT: Progress = { expect: nothing, begin: nothing, end: nothing, clear: nothing, finish: nothing }

export function createProgress(settings: ProgressSettings): Progress {
  const { enabled, stream = process.stderr, environment = process.env } = settings
  if (!enabled || !isInteractive(stream, environment)) {
    return SILENT
  }
  /** By identity, longest waited for first. */
  const waiting = new Map<string, { name: string; bytes: number }>()
  const done = new Set<string>()
  let bytesDone = 0
  /** Of the images that are waited for. */
  let bytesWaiting = 0
  let expected: ProgressTotal | undefined
  /** Milliseconds during which something was waited for; a dev server pauses between images. */
  let busy = 0
  /** The beginning of what is waited for now. */
  let busySince = 0
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
    const [current] = waiting.values()
    const width = lineWidth(stream)
    const figures = figuresWithin(width)
    const room = width - figures.length - GAP.length
    const name = room < MIN_NAME ? '' : GAP + shortenMiddle(visibleText(current?.name ?? ''), room)
    const line = shortenMiddle(figures + name, width)
    if (line === shown) return
    stream.write(ERASE + line)
    shown = line
  }

  /** The bytes give way on a narrow terminal, then the time. */
  function figuresWithin(width: number): string {
    const all = Math.max(expected?.images ?? 0, done.size + waiting.size)
    const allBytes = Math.max(expected?.bytes ?? 0, bytesDone + bytesWaiting)
    const images = `pixpress  ${done.size}/${all} images`
    const bytes = `${formatBytes(bytesDone)} of ${formatBytes(allBytes)}`
    const left = timeLeft(allBytes - bytesDone)
    const choices = [[images, bytes, ...left], [images, ...left], [images]].map((parts) => parts.join(GAP))
    return choices.find((text) => text.length <= width) ?? images
  }

  /** By the bytes: time goes by size far more than by number. Nothing before the first image is done. */
  function timeLeft(bytes: number): string[] {
    if (bytesDone === 0) return []
    const taken = busy + Date.now() - busySince
    return [`${formatRemaining((taken * bytes) / bytesDone)} left`]
  }

  function startOver(): void {
    done.clear()
    bytesDone = 0
    busy = 0
    busySince = Date.now()
    expected = undefined
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    ticks = 0
  }

  return {
    expect(total) {
      startOver()
      expected = total
    },
    begin(id, file, bytes) {
      if (!done.has(id) && !waiting.has(id)) {
        if (waiting.size === 0) busySince = Date.now()
        waiting.set(id, { name: path.basename(file), bytes })
        bytesWaiting += bytes
      }
      timer ??= setInterval(tick, INTERVAL).unref()
    },
    end(id) {
      const ended = waiting.get(id)
      if (ended === undefined) return
      waiting.delete(id)
      bytesWaiting -= ended.bytes
      done.add(id)
      bytesDone += ended.bytes
      if (waiting.size === 0) busy += Date.now() - busySince
    },
    clear: erase,
    finish() {
      startOver()
      if (waiting.size === 0) stop()
      erase()
    },
  }
}
