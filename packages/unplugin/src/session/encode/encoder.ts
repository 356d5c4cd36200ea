import { PixpressError } from '@pixpress/core'
import type { OptimizeResult } from '@pixpress/core'
import { visibleText, weightOf } from '@pixpress/core/report'
import type { Progress } from '@pixpress/core/report'
import { relativePath } from '../../base/paths.ts'
import type { ResolvedOptions } from '../options/options.ts'
import { finishedImage, untouchedImage } from '../plan/images.ts'
import type { FinishedImage, PlannedImage, Warn, WorkableImage } from '../plan/images.ts'
import type { ReportLog } from '../report/report-log.ts'
import { failsBuild } from './failures.ts'
import type { KeptLock } from './keep-lock.ts'

/** Makes planned images, from the cache or by encoding. */
export interface Encoder {
  /**
   * Makes an image. A broken one gives its own bytes and one warning.
   * @param isUsed whether a result is part of the build; the report is told of those alone. Default: it is
   * @throws PixpressError with `onError: 'error'`
   */
  encode(planned: PlannedImage, warn: Warn, isUsed?: (result: OptimizeResult) => boolean): Promise<FinishedImage>
  /** Makes an image to choose among several. It becomes a part of the build when `encode` is asked for it. */
  trial(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /** Tells whether nothing is being encoded. */
  isIdle(): boolean
  /** Forgets the trials of a build. */
  forgetTrials(): void
}

/** The parts of a session that encode images. */
export interface EncoderParts {
  readonly options: ResolvedOptions
  readonly log: ReportLog
  readonly progress: Progress
  readonly lock: KeptLock
}

/**
 * Makes the encoder of a session. It is one closure, as all of its functions count running work and note trials.
 */
export function createEncoder({ options, log, progress, lock }: EncoderParts): Encoder {
  /** Results of trials that were not in the cache, by identity and without their bytes. */
  const tried = new Map<string, OptimizeResult>()
  let running = 0

  async function make(image: WorkableImage, warn: Warn, isUsed: (result: OptimizeResult) => boolean) {
    const { plan, file, reason, isInside } = image
    // The lock's lines are about files.
    const made = await lock.materialize(plan, isInside ? undefined : file, image.lqip)
    if (isUsed(made)) {
      for (const note of made.notes) tell(warn, `${relativePath(options.root, file)}: ${note}`)
      const first = tried.get(image.id) ?? made
      log.image(image, reason === undefined ? first : { ...first, notes: [...first.notes, reason] })
      if (!isInside) lock.note(plan, file, made)
    }
    return finishedImage(image, made)
  }

  /** Keeps the original of an image that cannot be made, unless that fails the build. */
  function keepOriginal(planned: PlannedImage, error: PixpressError, warn: Warn): FinishedImage {
    const shown = relativePath(options.root, planned.file)
    if (error.code === 'NOT_CACHED') {
      // The build goes on until its end, to name all that is missing.
      tell(warn, `${shown}: ${error.message} The original stands in for it, and the build will fail.`, error.code)
      return { ...untouchedImage(planned), missing: error }
    }
    if (failsBuild(error, options)) {
      progress.clear()
      if (error.code === 'MACHINE_UNFIT') throw error
      throw new PixpressError(error.code, `${shown}: ${error.message}`, { file: shown, cause: error.cause })
    }
    // The decoder's own words differ from one attempt to the next, so they cannot tell whether this was said before.
    lock.leave(planned.file)
    tell(warn, `${shown}: ${error.message} The original is kept.`, `${error.code} ${shown}`)
    log.failure(planned, error)
    return untouchedImage(planned)
  }

  /** Warns once in a build, however many references and variants have the problem. */
  function tell(warn: Warn, message: string, key: string = message): void {
    log.once(key, () => warn(visibleText(message)))
  }

  const encode: Encoder['encode'] = async (planned, warn, isUsed = () => true) => {
    if (planned.plan === undefined) return keepOriginal(planned, planned.problem, warn)
    const { id, file, source } = planned
    log.begin()
    progress.begin(id, file, source.length, progress.isShown ? weightOf(source, source.length) : undefined)
    running++
    try {
      return await make(planned, warn, isUsed)
    } catch (error) {
      // A broken lock is no fault of this image.
      if (error instanceof PixpressError && error.code !== 'LOCK_INVALID') return keepOriginal(planned, error, warn)
      throw error
    } finally {
      running--
      progress.end(id)
    }
  }

  return {
    encode,
    trial: (planned, warn) =>
      encode(planned, warn, (made) => {
        // The build that uses the image finds it in the cache, as this trial puts it there.
        if (!made.cached) tried.set(planned.id, { ...made, data: new Uint8Array() })
        return false
      }),
    isIdle: () => running === 0,
    forgetTrials: () => tried.clear(),
  }
}
