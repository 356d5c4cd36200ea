import type { ResolvedOperations } from '@pixpress/core'
import { describeWhy, whyOf } from '@pixpress/core/report'
import { whyOfPlanned } from './images.ts'
import type { FinishedImage, PlannedImage } from './images.ts'
import type { Session } from './session.ts'

/** What the inspector shows of one image of the project, without its bytes. */
export interface SeenImage {
  /** As `PlannedImage.id`. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  /** Absent for a source that cannot be worked on. */
  readonly operations: ResolvedOperations | undefined
  /** Why there is no plan, as a sentence. */
  readonly problem: string | undefined
  /** Once it was made. */
  made?: MadeImage
}

export interface MadeImage {
  readonly type: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  /** Bytes. */
  readonly size: number
  readonly source: { readonly type: string; readonly width: number; readonly height: number; readonly size: number }
  /** SSIMULACRA2, where something was compared. */
  readonly score: number | undefined
  /** Why it is no smaller, one sentence or two. */
  readonly why: string | undefined
  readonly notes: readonly string[]
}

/** By id, in the order in which images were planned first. */
type Record = Map<string, SeenImage>

const RECORDS = new WeakMap<Session, Record>()

/** The images that a session has planned since it was opened, sorted by file. */
export function seenImages(session: Session): SeenImage[] {
  // A source that is edited has a new id, and its former image is gone.
  const last = new Map<string, SeenImage>()
  for (const image of RECORDS.get(session)?.values() ?? []) {
    last.set(JSON.stringify([image.file, image.operations]), image)
  }
  return [...last.values()].sort((a, b) => (a.file === b.file ? compare(a.id, b.id) : compare(a.file, b.file)))
}

/** The same session, which notes what it plans and makes. */
export function recorded(session: Session, record: Record = new Map()): Session {
  const see = (planned: PlannedImage): PlannedImage => {
    const { id, file, plan, problem } = planned
    if (!record.has(id)) record.set(id, { id, file, operations: plan?.operations, problem: problem?.message })
    return planned
  }
  const made = (image: FinishedImage): FinishedImage => {
    const seen = record.get(image.planned.id)
    if (seen !== undefined && image.result !== undefined) seen.made = describe(image)
    return image
  }
  const watched: Session = {
    ...session,
    withFiles: (files) => recorded(session.withFiles(files), record),
    plan: async (...asked) => see(await session.plan(...asked)),
    planBytes: (...asked) => see(session.planBytes(...asked)),
    async planRequest(...asked) {
      const request = await session.planRequest(...asked)
      request.images.forEach(see)
      return request
    },
    finish: async (...asked) => made(await session.finish(...asked)),
    serve: async (...asked) => made(await session.serve(...asked)),
  }
  RECORDS.set(watched, record)
  return watched
}

function describe({ planned, data, type, width, height, result }: FinishedImage): MadeImage {
  const { input, score, notes = [] } = result ?? {}
  const source = {
    type: input?.type ?? type,
    width: input?.width ?? 0,
    height: input?.height ?? 0,
    size: input?.size ?? 0,
  }
  const isImage = type !== 'application/octet-stream'
  const why = whyOfPlanned(planned, isImage && result !== undefined ? whyOf({ ...result, type }) : undefined)
  const size = data.length
  return { type, width, height, size, source, score, why: why && describeWhy(why, size), notes }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
