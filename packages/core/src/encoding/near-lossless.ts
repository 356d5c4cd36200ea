import { webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory, WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { NEAR_LOSSLESS_MODULE } from './near-lossless.wasm.ts'

/** Pixels as PNG's colour types have them: grey, grey and alpha, RGB or RGBA, interleaved. */
export interface Samples {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

/** One picture, near-losslessly as often as wanted. Alpha, and areas of one colour, stay what they are. */
export interface NearLossless {
  /**
   * The picture with differences, from what PNG's filter Average predicts, that are multiples of a step, or of half or a third
   * of it where the picture is smooth.
   * @param step in levels, from 1 on
   * @returns its samples; valid until the next `write` or `dispose`
   */
  write(step: number): Uint8Array
  /** Lets go of the memory. */
  dispose(): void
}

/** What assembly/near-lossless.ts exports. */
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

/** Pixels of the largest picture that is taken: they take 9 bytes of memory each, 7 where all are opaque. */
const MOST_PIXELS = 50_000_000

/** Memory up to which an engine is kept for the next picture: about three megapixels. */
const IDLE_BYTES = 32 * 2 ** 20

/**
 * Classes of activity, of half a level each, up to which steps are a third and a half as large. With one step for all, 15 of 18
 * photographs at 80 were up to twice beyond what guards allow in dark and soft places, and took 0 to 19 % more bytes.
 */
const SMOOTHEST = 1
const SMOOTH = 8

let compiled: WebAssemblyModule | undefined
const idle: NearLosslessExports[] = []

function newEngine(): NearLosslessExports {
  compiled ??= new webAssembly.Module(Buffer.from(NEAR_LOSSLESS_MODULE, 'base64'))
  return new webAssembly.Instance(compiled).exports as NearLosslessExports
}

/** An engine for a picture, whose samples are copied. `undefined` where it is so large that it would take too much memory. */
export function createNearLossless({ data, width, height, channels }: Samples): NearLossless | undefined {
  if (width * height > MOST_PIXELS) return undefined
  const engine = idle.pop() ?? newEngine()
  const { memory } = engine
  const missing = engine.layout(width, height, channels) - memory.buffer.byteLength
  try {
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  } catch (error) {
    // The one way in which WebAssembly reports that the machine has no more memory.
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
      if (memory.buffer.byteLength <= IDLE_BYTES && !idle.includes(engine)) idle.push(engine)
    },
  }
}
