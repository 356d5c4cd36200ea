import { createHash } from 'node:crypto'
import path from 'node:path'
import type {
  InputType,
  OptimizeResult,
  Placeholder,
  PlaceholderKind,
  Plan,
  PixpressError,
  ProbeResult,
} from '@pixpress/core'
import { extensionFor } from '@pixpress/core/internal'
import type { Why } from '@pixpress/core/report'
import type { DirectiveRequest } from '../directives/resolve.ts'
import type { TextureReason } from '../textures/textures.ts'

/** An image of the build, with its identity, before anything is encoded. */
export interface PlannedImage {
  /** Short identity of source bytes, operations and engine versions: 16 hexadecimal digits, for URLs and folders. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  readonly source: Uint8Array
  /** Name without extension: the source's own, with the asked width where there is one. */
  readonly stem: string
  /**
   * The file name extension without the dot, where it is certain before encoding: adapters that must name an asset early
   * finish the image first where it is not.
   */
  readonly extension: string | undefined
  /** Absent when the source is no image that can be worked on: its own bytes are used. */
  readonly plan: Plan | undefined
  /** Why there is no plan. */
  readonly problem: PixpressError | undefined
  /** Why it is worked on otherwise than all images, as a sentence for the report. */
  readonly reason?: string
  /** Why it is taken for a texture, and therefore lossless. */
  readonly texture?: TextureReason
  /** What the source's header says, where it has been read already. */
  readonly header?: ProbeResult
  /** What its module shows until it is there. */
  readonly lqip?: PlaceholderKind
}

/** An image as it goes into the build. */
export interface FinishedImage {
  readonly planned: PlannedImage
  readonly data: Uint8Array
  /** MIME type of `data`. */
  readonly type: InputType | 'application/octet-stream'
  /** File name with the extension that fits `data`. */
  readonly name: string
  /** Pixels; 0 when unknown. */
  readonly width: number
  readonly height: number
  /** Where the planned image has `lqip`, and one can be made. */
  readonly placeholder?: Placeholder
  /** Why it is the source: a frozen cache has no result. The build fails at its end. */
  readonly missing?: PixpressError
  /** What the engine says of it, without its bytes; absent for an untouched source. */
  readonly result?: Pick<OptimizeResult, 'input' | 'score' | 'reason' | 'refused' | 'declined' | 'notes' | 'draft'>
}

/** An image asked for with directives: what to render, and the images it needs, in the order of `request.variants`. */
export interface PlannedRequest {
  readonly request: DirectiveRequest
  readonly images: readonly PlannedImage[]
  /** What the header of the source says. */
  readonly source: ProbeResult
}

/** Shows one plain sentence to the person who builds. */
export type Warn = (message: string) => void

/** The image that the engine has made of a planned one. */
export function finishedImage(planned: PlannedImage, result: OptimizeResult): FinishedImage {
  const { data, info, placeholder } = result
  const extension = extensionFor(info.type, path.extname(planned.file).slice(1).toLowerCase())
  const { type, width, height } = info
  const name = `${planned.stem}.${extension}`
  return { planned, data, type, name, width, height, result, ...(placeholder && { placeholder }) }
}

/** Why an image is no smaller: by the rule that decided its operations, else as the engine found. */
export function whyOfPlanned({ reason }: Pick<PlannedImage, 'reason'>, found: Why | undefined): Why | undefined {
  return reason === undefined ? found : { because: 'texture', rule: reason }
}

/** The untouched source of a planned image. */
export function untouchedImage(planned: PlannedImage): FinishedImage {
  return {
    planned,
    data: planned.source,
    type: planned.plan?.type ?? 'application/octet-stream',
    name: path.basename(planned.file),
    width: 0,
    height: 0,
  }
}

/**
 * A source that is worked on.
 * @param isSized whether its own reference asks for a size, which its name then tells
 */
export function withPlan(plan: Plan, file: string, source: Uint8Array, isSized: boolean): PlannedImage {
  const [type, ...others] = plan.types
  const { resize } = plan.operations
  const own = path.extname(file)
  const width = resize?.width !== undefined && isSized ? `-${resize.width}` : ''
  return {
    id: plan.key.slice(0, 16),
    file,
    source,
    stem: path.basename(file, own) + width,
    extension: others.length === 0 && type !== undefined ? extensionFor(type, own.slice(1).toLowerCase()) : undefined,
    plan,
    problem: undefined,
  }
}

/** A source that is not worked on, with the digest of its bytes as its identity. */
export function withoutPlan(
  file: string,
  source: Uint8Array,
  rest: Pick<PlannedImage, 'extension' | 'problem'>,
): PlannedImage {
  const id = createHash('sha256').update(source).digest('hex').slice(0, 16)
  return { id, file, source, stem: path.basename(file, path.extname(file)), plan: undefined, ...rest }
}
