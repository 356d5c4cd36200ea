import type { Operations, OptimizeResult } from '@pixpress/core'
import type { Admission } from '../admission/admission.ts'
import type { Tracing } from '../telemetry/tracing.ts'

/** A result of the engine. */
export interface WorkResult extends OptimizeResult {
  /** EXIF orientation that viewers still have to apply, 2 to 8; absent if the file is stored as it is seen. */
  readonly orientation?: number | undefined
}

type Make = (source: Uint8Array, operations: Operations) => Promise<WorkResult>

/** Adds a span to the work of the engine, which tells what was done to how much. */
export function tracedMake(make: Make, tracing: Tracing): Make {
  if (!tracing.on) return make
  return (source, operations) =>
    tracing.span('work', async (span) => {
      span.set({ 'pixpress.operation': Object.keys(operations).join('+') || 'compress' })
      const made = await make(source, operations)
      const { input, info } = made
      span.set({
        'pixpress.input.type': input.type,
        'pixpress.input.bytes': input.size,
        'pixpress.input.pixels': input.width * input.height * input.frames,
        'pixpress.output.type': info.type,
        'pixpress.output.bytes': info.size,
      })
      return made
    })
}

/**
 * Adds a span to the wait for a turn. The end of other work begins the next, so that the work is bound to the request
 * that waits for it.
 */
export function tracedTurn(turn: Admission['turn'], tracing: Tracing): Admission['turn'] {
  if (!tracing.on) return turn
  return (task, admitted) => {
    const begun = tracing.begin('wait')
    const bound = tracing.bind(task)
    const started = (): ReturnType<typeof task> => {
      begun()
      return bound()
    }
    return turn(started, admitted).finally(begun)
  }
}
