import { fastestBuild, hasAlike, type Build } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import {
  engineOf,
  finishComparison,
  fitsEngine,
  keepsFor,
  makeRoom,
  makeRoomToCompare,
  prepareBlending,
  putAt,
  rowsOf,
} from './engine.ts'
import type { GuardsExports } from './engine.ts'
import { cubeRoot } from './oklab.ts'

/** Replaces a background if neither picture has transparency. */
export const OPAQUE = -1

/** The largest value of one measure in any window, and the upper left corner of that window, in pixels. */
export interface WorstWindow {
  value: number
  x: number
  y: number
}

/** Measures over windows, in the order of the module's records. The formulas are in docs/quality.md. */
export const WINDOW_NAMES = ['means', 'colours', 'band', 'edges', 'jag', 'gone'] as const

/** Name of a measure over windows. */
export type WindowName = (typeof WINDOW_NAMES)[number]

/** The worst window of each measure. */
export type WorstWindows = Record<WindowName, WorstWindow>

/** Roots that turn a record into a measure: the module stores powers so that it need not compute roots. */
const ROOTS: Record<WindowName, (power: number) => number> = {
  means: Math.sqrt,
  colours: Math.sqrt,
  band: Math.sqrt,
  edges: Math.sqrt,
  jag: (power) => Math.sqrt(cubeRoot(power)),
  gone: (power) => power,
}

/**
 * Measures that can be left out: `jag`; `gone`, of means; `lines`, a part of `gone`; `streaks`, a part of `band`; and
 * `spots`, a part of `colours` that needs `jag`.
 */
export const PARTS = ['jag', 'gone', 'lines', 'streaks', 'spots'] as const

/** Name of a measure, or of a part of one, that can be left out. */
export type Part = (typeof PARTS)[number]

/** Options of a comparison. */
export interface Comparison {
  build: Build
  /** Measures that are left out and stay 0. Default: none. */
  without?: ReadonlySet<Part>
  /** `true` to skip equal areas, with the same result. Default: `true` if a sample of pixels shows that it pays. */
  compares?: boolean
  /** An object that stands for an original whose pixels do not change, so that they are copied once. */
  keeper?: object
}

/** Bytes of one record that the module keeps per measure. */
const RECORD = 16

/**
 * Finds where two pictures of the same size differ most, on a grey background (0…255) or OPAQUE. It takes about 1040
 * bytes of memory per pixel of width, the original if that is small enough, and a byte for four pixels if the pictures
 * are partly alike: equal parts are skipped then, and the result is the same.
 *
 * @throws PixpressError `INTERNAL` if there is no memory
 */
export function worstWindows(
  original: Pixels,
  result: Pixels,
  background: number,
  { build, without = NOTHING, keeper, ...given }: Comparison,
): WorstWindows {
  const { width, height, channels } = original
  const compares = given.compares ?? (channels === result.channels && hasAlike(original.data, result.data, channels))
  const keeps = fitsEngine(width, height)
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
 * Finds runs along rows whose pixels all have the value of their four neighbours: first pixel, count and value of each.
 * The value is RGBA in 32 bits, red in the lowest, and 0 for all pixels of alpha 0. It returns all runs of values that
 * at least `least` pixels have, and hardly any others.
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

/** Number of counters for the smallest pictures, as a power of two. */
const LEAST_COUNTER_BITS = 10
