import { fastestBuild, hasAlike, type Build } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import {
  engineOf,
  finishComparison,
  isKept,
  keepsFor,
  makeRoom,
  makeRoomToCompare,
  prepareBlending,
  putAt,
  rowsOf,
} from './engine.ts'
import type { GuardsExports } from './engine.ts'
import { cubeRoot } from './oklab.ts'

/** In place of a background: neither picture has transparency. */
export const OPAQUE = -1

/** The largest value that one measure has in any window, and the upper left corner of that window, in pixels. */
export interface WorstWindow {
  value: number
  x: number
  y: number
}

/** The measures of windows, in the order of the module's records; the formulas are in docs/quality.md. */
export const WINDOW_NAMES = ['means', 'colours', 'band', 'edges', 'jag', 'gone'] as const

export type WindowName = (typeof WINDOW_NAMES)[number]

export type WorstWindows = Record<WindowName, WorstWindow>

/** What a record holds is a power of the measure, so that the module need not take roots. */
const ROOTS: Record<WindowName, (power: number) => number> = {
  means: Math.sqrt,
  colours: Math.sqrt,
  band: Math.sqrt,
  edges: Math.sqrt,
  jag: (power) => Math.sqrt(cubeRoot(power)),
  gone: (power) => power,
}

/**
 * What is measured only where it is asked for: `jag`; `gone`, of means; `lines`, a part of `gone`; `streaks`, a part of `band`; and
 * `spots`, a part of `colours` that needs `jag`.
 */
export const PARTS = ['jag', 'gone', 'lines', 'streaks', 'spots'] as const

export type Part = (typeof PARTS)[number]

/** How two pictures are compared. */
export interface Comparison {
  build: Build
  /** Measures that are left out, and are zero; by default none. */
  without?: ReadonlySet<Part>
  /** Whether what is alike is looked for and skipped, which changes no result. By default where a sample of pixels promises it. */
  compares?: boolean
  /** What stands for an original whose pixels do not change, so that they are copied once. */
  keeper?: object
}

/** Bytes of one record that the module keeps per measure. */
const RECORD = 16

/**
 * Where two pictures of the same size differ most, on a grey background (0…255) or OPAQUE. About 1040 bytes of
 * memory per pixel of width, the original where it is small enough, and where the pictures are partly alike a byte for four pixels: what
 * is alike is skipped then, and the result is the same.
 *
 * @throws PixpressError INTERNAL if there is no memory
 */
export function worstWindows(
  original: Pixels,
  result: Pixels,
  background: number,
  { build, without = NOTHING, keeper, ...given }: Comparison,
): WorstWindows {
  const { width, height, channels } = original
  const compares = given.compares ?? (channels === result.channels && hasAlike(original.data, result.data, channels))
  const keeps = isKept(width, height)
  let isThere = keepsFor(build, keeper)
  const engine = engineOf(build)
  makeRoomToCompare(build, engine, { width, height, compares, keeps })
  if (background !== OPAQUE) prepareBlending(engine)
  engine.start(wantedOf(engine, without))
  const take = (y: number, rows: number): void => {
    if (!isThere) putAt(engine, engine.originalAddress(y, channels), rowsOf(original, y, rows))
    putAt(engine, engine.resultAddress(), rowsOf(result, y, rows))
  }
  const batch = engine.BATCH_ROWS.value
  if (compares) {
    for (let y = 0; y < height; y += batch) {
      const rows = Math.min(batch, height - y)
      take(y, rows)
      engine.mark(y, rows, channels, background === OPAQUE ? 0 : 1)
    }
    engine.settle()
    isThere = keeps
  }
  for (let y = 0; y < height; y += batch) {
    const rows = Math.min(batch, height - y)
    if (engine.needs(y, rows) === 1) take(y, rows)
    engine.push(rows, channels, result.channels, background)
  }
  const worst = readRecords(engine)
  finishComparison(build, engine, keeps ? keeper : undefined)
  return worst
}

function readRecords(engine: GuardsExports): WorstWindows {
  const records = new DataView(engine.memory.buffer, engine.largestAddress(), WINDOW_NAMES.length * RECORD)
  const record = (name: WindowName, at: number): WorstWindow => ({
    value: ROOTS[name](records.getFloat64(at, true)),
    x: records.getInt32(at + 8, true),
    y: records.getInt32(at + 12, true),
  })
  return Object.fromEntries(WINDOW_NAMES.map((name, index) => [name, record(name, index * RECORD)])) as WorstWindows
}

const NOTHING: ReadonlySet<Part> = new Set()

function wantedOf(engine: GuardsExports, without: ReadonlySet<Part>): number {
  const flags: Record<Part, number> = {
    jag: engine.WITH_JAG.value,
    gone: engine.WITH_GONE.value,
    lines: engine.WITH_LINES.value,
    streaks: engine.WITH_STREAKS.value,
    spots: engine.WITH_SPOTS.value,
  }
  let wanted = 0
  for (const part of PARTS) if (!without.has(part)) wanted += flags[part]
  return wanted
}

/**
 * Stretches along rows whose pixels have one value, RGBA in 32 bits, red lowest, 0 for all of alpha 0, and four neighbours of
 * the same: first pixel, count and value of each. All those of values that `least` pixels have, and hardly any other.
 */
export function innerRuns(pixels: Pixels, least: number): Uint32Array[] {
  const { width, height, channels } = pixels
  const engine = engineOf(fastestBuild())
  makeRoom(engine, { width, height: Math.min(height, engine.BATCH_ROWS.value), compares: false, keeps: false })
  // Values share counters at first: none that reaches the count is missed.
  engine.startFlat(Math.max(LEAST_COUNTER_BITS, Math.ceil(Math.log2(width * height)) - 2))
  const take = (y: number, leastCounted: number): number => {
    const rows = Math.min(engine.BATCH_ROWS.value, height - y)
    const address = engine.originalAddress(0, channels)
    putAt(engine, address, rowsOf(pixels, y, rows))
    return engine.takeFlat(address, rows, channels, leastCounted)
  }
  let most = 0
  for (let y = 0; y < height; y += engine.BATCH_ROWS.value) most = Math.max(most, take(y, 0))
  const runs: Uint32Array[] = []
  if (most < least) return runs
  engine.restartFlat()
  for (let y = 0; y < height; y += engine.BATCH_ROWS.value) {
    const count = take(y, Math.ceil(least))
    if (count > 0) runs.push(new Uint32Array(engine.memory.buffer, engine.foundAddress(), 3 * count).slice())
  }
  return runs
}

/** Counters of the smallest pictures, as a power of two. */
const LEAST_COUNTER_BITS = 10
