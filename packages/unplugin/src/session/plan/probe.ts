import { PixpressError } from '@pixpress/core'
import type { Optimizer, ProbeResult } from '@pixpress/core'
import { guessByName } from '../../base/paths.ts'

/** Reads the header of an image. @param file for messages */
export type Probe = (bytes: Uint8Array, file: string) => Promise<ProbeResult>

/**
 * Makes the probe of a session. A broken image has no size and the type of its extension: enough to refuse bad
 * directives, and to keep the original.
 */
export function createProbe(optimizer: Pick<Optimizer, 'probe'>): Probe {
  return async (bytes, file) => {
    try {
      return await optimizer.probe(bytes, { file })
    } catch (error) {
      if (!(error instanceof PixpressError)) throw error
      return guessByName(file, bytes.length)
    }
  }
}
