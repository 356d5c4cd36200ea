import type { Operations, Optimizer } from '@pixpress/core'
import { resultSize, resultTypes, workingMemory } from '@pixpress/core/internal'

/** The expected cost of an image, by its header and by what is asked of it. */
export interface Cost {
  /** Bytes that it takes while it is worked on, decoded. */
  readonly bytes: number
  /** Pixels that are encoded, with a share of those that are only decoded. */
  readonly pixels: number
  /** Types that are encoded: paces differ by them. */
  readonly kind: string
}

/** Cost of an image apart from its pixels, in pixels: reading, starting and writing. */
const FIXED = 50_000

/** The cost of decoding a pixel, in encoded ones. Encoders try several qualities, and compare each with the source. */
const DECODED = 0.1

/**
 * Reads an image's header, and no pixel.
 * @throws PixpressError for what the engine would refuse: whoever has sent it need not wait for that
 */
export async function expectCost(optimizer: Optimizer, source: Uint8Array, operations: Operations): Promise<Cost> {
  const { operations: resolved } = optimizer.plan(source, operations)
  const probe = await optimizer.probe(source)
  const types = resultTypes(probe.type, resolved)
  const made = resultSize(probe, resolved)
  const encoded = made.width * made.height * types.length
  return {
    bytes: workingMemory(probe, types, made),
    pixels: FIXED + probe.frames * (DECODED * probe.width * probe.height + encoded),
    kind: [...types].sort().join(' '),
  }
}

/** How long work takes on this machine, learnt from what was done. */
export interface Pace {
  /** @returns milliseconds that work of this cost is expected to take */
  expect(cost: Cost): number
  learn(cost: Cost, milliseconds: number): void
}

/**
 * Milliseconds for a pixel until one of the kind was done. It is rather little, so that a server which knows nothing
 * yet refuses nobody for it. Measured (bench/twelve-megapixels.mjs): a JPEG takes 0.00024.
 */
const FIRST_PACE = 0.0002

/** The share of the last piece in what is expected of the next. */
const LEARNT = 0.2

/** Creates a pace that has learnt nothing yet. */
export function createPace(): Pace {
  const paces = new Map<string, number>()
  const paceOf = (kind: string): number => paces.get(kind) ?? FIRST_PACE
  return {
    expect: ({ pixels, kind }) => Math.max(1, pixels * paceOf(kind)),
    learn({ pixels, kind }, milliseconds) {
      if (pixels === 0) return
      const before = paceOf(kind)
      paces.set(kind, before + LEARNT * (milliseconds / pixels - before))
    },
  }
}
