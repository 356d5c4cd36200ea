import { findSandbox, installedAdvisories } from '@pixpress/core/internal'
import type { Log } from './log.ts'

/**
 * Says once, at the start, how far the decoders are shut off from the machine, which nobody should have to guess, and
 * warns of each installed library with a published vulnerability: a server reads images of strangers.
 * @param sandbox `auto` looks for one; `none` asks for threads of the server
 * @throws PixpressError `MACHINE_UNFIT` where a codec is not installed
 */
export async function tellDecoders(sandbox: 'auto' | 'none', log: Log): Promise<void> {
  const found = sandbox === 'none' ? undefined : findSandbox()
  if (found === undefined) log.info('sandbox', { decoders: 'none: threads of the server' })
  else if (found.sandbox === undefined) log.warn('no sandbox', { reason: found.reason })
  else log.info('sandbox', { decoders: found.sandbox.name })
  const { known } = await installedAdvisories()
  for (const { library, installed, fixed, ids } of known)
    log.warn('advisory', { library, installed, mendedIn: fixed, ids: ids.join(' ') })
}
