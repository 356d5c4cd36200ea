import { webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory, WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { LIGHT_LOSS_MODULE } from './light-loss.wasm.ts'
import type { Size } from './size.ts'
import { blockEdges } from './raster.ts'
import type { GammaRaster } from './raster.ts'
import { encodedTable, lightTable } from './transfer.ts'

/** The exports of assembly/light-loss.ts. */
interface LightLossExports {
  memory: WebAssemblyMemory
  BATCH_ROWS: { readonly value: number }
  layout(width: number, blocks: number): number
  edgesAddress(): number
  samplesAddress(): number
  lostAddress(): number
  rowsAddress(): number
  setLight(sample: number, light: number): void
  start(): void
  add(rows: number): void
  finish(rows: number, unit: number): void
}

const PAGE = 65_536

/** Pixels of a block whose light is 32 bits; of larger ones the lowest bits of light are left out. */
const MOST_PIXELS = 65_536

let compiled: WebAssemblyModule | undefined

/**
 * Returns the levels of 255 by which each block of pixels comes out too dark if its samples are averaged instead of
 * their light: 0 in plain areas, 60 in checks of black and white. It has the layout of the result's pixels, and takes
 * about 5 ms per megapixel of it.
 * @param source - opaque
 */
export function lightLoss(source: GammaRaster & { readonly channels: 3 }, { width, height }: Size): Uint8Array {
  const columns = blockEdges(source.width, width)
  const rows = blockEdges(source.height, height)
  const loss = new Uint8Array(width * height * 3)
  const largest = Math.ceil(source.width / width) * Math.ceil(source.height / height)
  const cut = Math.max(0, Math.ceil(Math.log2(largest / MOST_PIXELS)))
  const engine = createEngine(source.width, columns, cut)
  const { memory } = engine
  const ofRow = new Uint8Array(memory.buffer, engine.lostAddress(), width * 3)
  const batch = new Uint8Array(memory.buffer, engine.rowsAddress(), engine.BATCH_ROWS.value * source.width * 3)
  const stride = source.width * 3
  for (let y = 0; y < height; y++) {
    engine.start()
    for (let row = rows[y]!; row < rows[y + 1]!; row += engine.BATCH_ROWS.value) {
      const count = Math.min(engine.BATCH_ROWS.value, rows[y + 1]! - row)
      batch.set(source.data.subarray(row * stride, (row + count) * stride))
      engine.add(count)
    }
    engine.finish(rows[y + 1]! - rows[y]!, 2 ** cut)
    loss.set(ofRow, y * width * 3)
  }
  return loss
}

/**
 * Creates an engine with the memory for a picture so wide. Each picture gets a new one: it takes little memory, and
 * less time than a row.
 */
function createEngine(width: number, columns: Int32Array, cut: number): LightLossExports {
  compiled ??= new webAssembly.Module(Buffer.from(LIGHT_LOSS_MODULE, 'base64'))
  const engine = new webAssembly.Instance(compiled).exports as LightLossExports
  const missing = engine.layout(width, columns.length - 1) - engine.memory.buffer.byteLength
  if (missing > 0) engine.memory.grow(Math.ceil(missing / PAGE))
  lightTable('gamma8').forEach((light, sample) => engine.setLight(sample, light >> cut))
  new Uint8Array(engine.memory.buffer, engine.samplesAddress(), 65_536).set(encodedTable())
  new Int32Array(engine.memory.buffer, engine.edgesAddress(), columns.length).set(columns)
  return engine
}
