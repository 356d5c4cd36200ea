import type { Optimizer, RemoteEngine } from '@pixpress/core'
import type { ImageStore } from '@pixpress/core/internal'
import type { Textures } from '../textures/textures.ts'
import type { KeptTypes } from '../types/keep-types.ts'
import type { Encoder } from './encode/encoder.ts'
import type { ImageFiles } from './encode/image-folder.ts'
import type { KeptLock } from './encode/keep-lock.ts'
import type { LeftAlone } from './left-alone.ts'
import type { ReportLog } from './report/report-log.ts'
import type { FindWorth } from './report/worth.ts'
import type { Session } from './session.ts'

/** The parts of a session that the end of a build concerns, in the order in which it does. */
export interface EndParts {
  readonly types: KeptTypes | undefined
  readonly lock: KeptLock
  readonly remote: Pick<RemoteEngine, 'endBuild'> | undefined
  readonly store: Pick<ImageStore, 'finish'> | undefined
  readonly log: ReportLog
  readonly findWorth: FindWorth
  readonly optimizer: Optimizer
  readonly textures: Textures
  readonly encoder: Encoder
  readonly files: ImageFiles
  readonly leftAlone: Pick<LeftAlone, 'find'>
}

/** Makes the end of builds: types, lock and report are written, and caches are swept. */
export function createEndOfBuild(parts: EndParts): Pick<Session, 'joinBuilds' | 'endBuild'> {
  const { types, lock, remote, store, log, findWorth, optimizer, textures, encoder, files, leftAlone } = parts
  /** Builds that are still to end before the report. */
  let joined = 0
  return {
    joinBuilds(count) {
      joined = count
    },
    async endBuild(build) {
      joined = Math.max(0, joined - 1)
      if (joined > 0) return
      try {
        await types?.flush()
        await lock.flush(build)
        const used = await remote?.endBuild()
        log.untouched(await leftAlone.find())
        await log.end(used, await store?.finish(), findWorth)
        optimizer.assertComplete()
      } finally {
        textures.forget()
        encoder.forgetTrials()
        await files.sweep()
        // Another build of this process may still be at work on images.
        if (encoder.isIdle()) await optimizer.close()
      }
    },
  }
}
