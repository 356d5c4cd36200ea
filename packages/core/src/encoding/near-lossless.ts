import { createIdleInstances } from '../quality/metric/idle-memory.ts'
import { moduleBytes, webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory, WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { NEAR_LOSSLESS_MODULE } from './near-lossless.wasm.ts'

/** Samples in one of PNG's colour types: grey, grey and alpha, RGB or RGBA, interleaved. */
export interface Samples {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

/** Writes one picture near-losslessly, as often as needed. Alpha and areas of one colour stay exact. */
export interface NearLossless {
  /**
   * Returns the picture with rounded differences from the prediction of PNG's filter Average. They are multiples of a
   * step, or of a half or a third of it where the picture is smooth.
   * @param step in levels, at least 1
   * @returns samples that are valid until the next `write` or `dispose`
   */
  write(step: number): Uint8Array
  /** Releases the memory. */
  dispose(): void
}

/** Exports of assembly/near-lossless.ts. */
interface NearLosslessExports {
  memory: WebAssemblyMemory
  CLASSES: { readonly value: number }
  layout(width: number, height: number, channels: number): number
  sourceAddress(): number
  writtenAddress(): number
  stepsAddress(): number
  measureActivity(): void
  write(): void
}

const PAGE = 65_536

/** Pixels of the largest picture that is accepted. Each takes 9 bytes of memory, or 7 if all are opaque. */
const MOST_PIXELS = 50_000_000

/**
 * Highest classes of activity, in half levels, whose steps are a third and a half as large. With one step for all, 15
 * of 18 photographs at 80 exceeded the limits of guards up to twofold in dark and soft places, and took 0 to 19% more
 * bytes.
 */
const SMOOTHEST = 1
const SMOOTH = 8

let compiled: WebAssemblyModule | undefined
const idle = createIdleInstances(({ memory }: NearLosslessExports) => memory.buffer.byteLength)

function newEngine(): NearLosslessExports {
  compiled ??= new webAssembly.Module(moduleBytes(NEAR_LOSSLESS_MODULE))
  return new webAssembly.Instance(compiled).exports as NearLosslessExports
}

/**
 * Creates an engine for a picture and copies its samples. Returns `undefined` if the picture is too large for the
 * memory.
 */
export function createNearLossless({ data, width, height, channels }: Samples): NearLossless | undefined {
  if (width * height > MOST_PIXELS) return undefined
  const engine = idle.take() ?? newEngine()
  const { memory } = engine
  const missing = engine.layout(width, height, channels) - memory.buffer.byteLength
  try {
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  } catch (error) {
    // WebAssembly reports a lack of memory only in this way.
    if (error instanceof RangeError) return undefined
    throw error
  }
  new Uint8Array(memory.buffer, engine.sourceAddress(), data.length).set(data)
  engine.measureActivity()
  const steps = new Float32Array(memory.buffer, engine.stepsAddress(), engine.CLASSES.value)
  let last: number | undefined
  return {
    write(step) {
      const written = new Uint8Array(memory.buffer, engine.writtenAddress(), data.length)
      if (step === last) return written
      last = step
      for (let group = 0; group < steps.length; group++) {
        steps[group] = group <= SMOOTHEST ? step / 3 : group <= SMOOTH ? step / 2 : step
      }
      engine.write()
      return written
    },
    dispose() {
      idle.give(engine)
    },
  }
}
