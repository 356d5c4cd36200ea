import { resultName } from './names.ts'
import type { Limiter } from './limiter.ts'
import { ServiceError, refusalOf, tooLarge } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { MadePicture, Service, Upload } from './service.ts'
import type { Settings } from './settings.ts'
import { candidatesFor, labelOf } from './types.ts'

/** A picture that was made, under the name that its file gets. */
export interface Result extends MadePicture {
  readonly name: string
}

/** How far a picture has come. */
export type State =
  | { readonly kind: 'waiting' }
  /** `share` is that of all work, between 0 and 1. */
  | { readonly kind: 'working'; readonly says: string; readonly share: number }
  | { readonly kind: 'done'; readonly results: readonly Result[]; readonly chosen: Result }
  | { readonly kind: 'failed'; readonly refusal: Refusal }

/** A picture of the page, from its file to its results. */
export interface Job {
  readonly file: File
  readonly state: State
  /** The settings that the results were made with; absent before they were asked for. */
  readonly settings: Settings | undefined
  /** The type of the file by its content, once the server has seen it. */
  readonly type: string | undefined
  /** Makes the results, anew where there are some. */
  run(service: Service, settings: Settings): Promise<void>
  /** Takes another of the results. */
  choose(result: Result): void
  cancel(): void
}

/** The parts that all jobs share. */
export interface Workshop {
  readonly limiter: Limiter
  readonly maxBytes: number
}

/** The share of a picture's progress that its upload is. */
const UPLOAD = 0.4

/** Creates the job of a file, which waits until it is run. */
export function createJob(file: File, workshop: Workshop, onChange: (job: Job) => void): Job {
  const { maxBytes } = workshop
  let state: State = { kind: 'waiting' }
  let upload: Upload | undefined
  let settings: Settings | undefined
  let control = new AbortController()

  const set = (next: State): void => {
    state = next
    onChange(job)
  }

  const job: Job = {
    file,
    get state() {
      return state
    },
    get settings() {
      return settings
    },
    get type() {
      return upload?.type
    },
    async run(service, wished) {
      control.abort()
      const mine = new AbortController()
      control = mine
      settings = wished
      const tell = (next: State): void => {
        if (!mine.signal.aborted) set(next)
      }
      const turn: Turn = { file, service, signal: mine.signal, workshop, tell }
      try {
        if (file.size > maxBytes) return set({ kind: 'failed', refusal: tooLarge(maxBytes) })
        upload ??= await send(turn)
        const results = await makeAll(turn, upload, wished)
        tell({ kind: 'done', results, chosen: smallestOf(results) })
      } catch (error) {
        // Outputs expire; another try begins with the upload.
        if (error instanceof ServiceError && error.status === 404) upload = undefined
        tell({ kind: 'failed', refusal: refusalOf(error, file, maxBytes) })
      }
    },
    choose(chosen) {
      if (state.kind === 'done') set({ ...state, chosen })
    },
    cancel: () => control.abort(),
  }
  return job
}

/** One run of a job, until it is done or aborted. */
interface Turn {
  readonly file: File
  readonly service: Service
  readonly signal: AbortSignal
  readonly workshop: Workshop
  readonly tell: (state: State) => void
}

function send({ file, service, signal, workshop, tell }: Turn): Promise<Upload> {
  tell({ kind: 'waiting' })
  return workshop.limiter.run(() => {
    tell({ kind: 'working', says: 'Uploading', share: 0 })
    return service.upload(file, signal, (sent) => {
      tell({ kind: 'working', says: sent === 1 ? 'Compressing' : 'Uploading', share: sent * UPLOAD })
    })
  }, signal)
}

/** Makes one type after the other. They go before other uploads, so that pictures are done one by one. */
async function makeAll(turn: Turn, { id, type }: Upload, wished: Settings): Promise<readonly Result[]> {
  const { file, service, signal, workshop, tell } = turn
  const types = wished.type === 'auto' ? candidatesFor(type) : [wished.type === '' ? type : wished.type]
  const results: Result[] = []
  let refused: unknown
  for (const [at, each] of types.entries()) {
    const says = types.length > 1 ? `Compressing as ${labelOf(each)}, ${at + 1} of ${types.length}` : 'Compressing'
    tell({ kind: 'working', says, share: UPLOAD + ((1 - UPLOAD) * at) / types.length })
    const commands = each === type ? wished.commands : { convert: { type: each }, ...wished.commands }
    try {
      const made = await workshop.limiter.run(() => service.make(id, { ...wished, commands }, signal), signal, true)
      results.push({ ...made, name: resultName(file.name, type, made.type) })
    } catch (error) {
      // One of several types may be none for this picture: an animation, say.
      if (!(error instanceof ServiceError && error.status === 400)) throw error
      refused ??= error
    }
  }
  if (results.length === 0) throw refused
  return results
}

/** The first of several equal ones: that is the upload's own type. */
const smallestOf = (results: readonly Result[]): Result =>
  results.reduce((smallest, each) => (each.data.size < smallest.data.size ? each : smallest))
