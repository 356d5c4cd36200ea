import type { UploadMemory } from '../http/upload-memory.ts'
import type { Backend } from '../storage/contract.ts'
import type { Log } from '../telemetry/log.ts'
import type { SharedCounts } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { ImageWork } from './image-work.ts'
import { createSharedWork } from './shared-work.ts'
import type { SharedWork } from './shared-work.ts'
import { OTHERS, workForOthers } from './work-for-others.ts'
import type { WorkForOthers } from './work-for-others.ts'

/** The work that servers share: this one's for the others, and the others' for this one. */
export interface Sharing {
  readonly shared: SharedWork
  readonly others: WorkForOthers
  readonly counts: () => SharedCounts
}

interface SharingParts {
  readonly backend: Pick<Backend, 'queue' | 'bytes'>
  readonly work: ImageWork
  readonly memory: UploadMemory
  /** Milliseconds that an upload may wait for any server. */
  readonly maxWait: number
  readonly log: Log
  readonly tracing: Tracing
}

/** Opens the shared work; `undefined` where no work is shared. */
export function shareWork({
  backend: { queue, bytes },
  work,
  memory,
  maxWait,
  log,
  tracing,
}: SharingParts): Sharing | undefined {
  if (queue === undefined) return undefined
  const shared = createSharedWork(work, queue, { maxWait, log, tracing })
  const room = (size: number): (() => void) => {
    const share = memory.open(OTHERS)
    try {
      share.take(size)
    } catch (error) {
      share.release()
      throw error
    }
    return share.release
  }
  const others = workForOthers({ work, backend: { queue, bytes }, room, log, tracing })
  const counts = (): SharedCounts => ({
    waiting: shared.waiting,
    doneForOthers: others.done,
    doneByOthers: shared.doneByOthers,
    takenOver: shared.takenOver,
  })
  return { shared, others, counts }
}
