import type { ResolvedOperations } from '@pixpress/core'
import { compare, describeWhy, whyOf } from '@pixpress/core/report'
import { whyOfPlanned } from '../plan/images.ts'
import type { FinishedImage, PlannedImage } from '../plan/images.ts'

/** One image of the project as the inspector shows it, without its bytes. */
export interface SeenImage {
  /** The image's `PlannedImage.id`. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  /** Absent for a source that cannot be worked on. */
  readonly operations: ResolvedOperations | undefined
  /** Says in a sentence why there is no plan. */
  readonly problem: string | undefined
  /** Once it was made. */
  made?: MadeImage
}

/** The result of an image, as the inspector shows it. */
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
  /** Says in one sentence or two why it is no smaller. */
  readonly why: string | undefined
  readonly notes: readonly string[]
}

/** Notes the images that a session plans and makes, for the inspector. */
export interface SeenImages {
  planned(image: PlannedImage): void
  made(image: FinishedImage): void
  /** Lists the images since the session was opened, sorted by file. */
  list(): SeenImage[]
}

/** Makes the notes of a session. */
export function createSeenImages(): SeenImages {
  /** Images by id, in the order in which images were planned first. */
  const seen = new Map<string, SeenImage>()
  return {
    planned({ id, file, plan, problem }) {
      if (!seen.has(id)) seen.set(id, { id, file, operations: plan?.operations, problem: problem?.message })
    },
    made(image) {
      const known = seen.get(image.planned.id)
      if (known !== undefined && image.result !== undefined) known.made = describe(image)
    },
    list() {
      // A source that is edited has a new id, and its former image is gone.
      const last = new Map<string, SeenImage>()
      for (const image of seen.values()) last.set(JSON.stringify([image.file, image.operations]), image)
      return [...last.values()].sort((a, b) => (a.file === b.file ? compare(a.id, b.id) : compare(a.file, b.file)))
    },
  }
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
  const { reason, refused, declined } = result ?? {}
  const found = isImage ? whyOf({ type, reason, refused, declined }) : undefined
  const why = whyOfPlanned(planned, found)
  const size = data.length
  return { type, width, height, size, source, score, why: why && describeWhy(why, size), notes }
}
