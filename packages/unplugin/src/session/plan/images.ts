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
import type { DirectiveRequest } from '../../directives/resolve.ts'
import type { TextureReason } from '../../textures/textures.ts'

/** The members that every image of a build has before anything is encoded. */
export interface ImageIdentity {
  /** Short identity of source bytes, operations and engine versions: 16 hexadecimal digits, for URLs and folders. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  readonly source: Uint8Array
  /** Name without extension: the source's own, with the asked width where there is one. */
  readonly stem: string
  /**
   * The file name extension without the dot, where it is certain before encoding: adapters that must name an asset
   * early finish the image first where it is not.
   */
  readonly extension: string | undefined
  /** Says in a sentence for the report why the image is worked on in another way than all images. */
  readonly reason?: string
  /** Says why the image counts as a texture, which stays lossless. */
  readonly texture?: TextureReason
  /** Says in a sentence for the report why the image keeps its format although the options convert. */
  readonly kept?: string
  /** The header of the source, where it has been read already. */
  readonly header?: ProbeResult
  /** The placeholder that its module shows until the image is there. */
  readonly lqip?: PlaceholderKind
  /** The bound of its width in pixels, where the options have one and nothing else gives it a size. */
  readonly maxWidth?: number
  /**
   * Its file has a name that another program gives it, as copies of a public folder and images of components of
   * frameworks have: equal images may be files of their own.
   */
  readonly isNamedElsewhere?: true
  /** The image stands inside of a text, in a data URL: `file` is that text's, with the place. */
  readonly isInside?: true
  /** Directives of its reference ask for it. */
  readonly isAsked?: true
}

/** An image that the engine works on. */
export interface WorkableImage extends ImageIdentity {
  readonly plan: Plan
  readonly problem?: undefined
}

/** A source that is no image the engine can work on: its own bytes are used. */
export interface BrokenImage extends ImageIdentity {
  readonly plan: undefined
  readonly problem: PixpressError
}

/** A source that is asked for as it is (`?original`). */
export interface OriginalImage extends ImageIdentity {
  readonly plan: undefined
  readonly problem: undefined
}

/** An image of the build, with its identity, before anything is encoded. */
export type PlannedImage = WorkableImage | BrokenImage

/** An image as it goes into the build. */
export interface FinishedImage {
  readonly planned: PlannedImage | OriginalImage
  readonly data: Uint8Array
  /** MIME type of `data`. */
  readonly type: InputType | 'application/octet-stream'
  /** File name with the extension that fits `data`. */
  readonly name: string
  /** Pixels; 0 when unknown. */
  readonly width: number
  readonly height: number
  /** The placeholder, where the planned image has `lqip` and one can be made. */
  readonly placeholder?: Placeholder
  /** The error of a frozen cache without a result, for which the source stands in. The build fails at its end. */
  readonly missing?: PixpressError
  /** The engine's result without its bytes; absent for an untouched source. */
  readonly result?: Pick<OptimizeResult, 'input' | 'score' | 'reason' | 'refused' | 'declined' | 'notes' | 'draft'>
}

/** An image asked for with directives: what to render, and the images it needs, in the order of `request.variants`. */
export interface PlannedRequest {
  readonly request: DirectiveRequest
  readonly images: readonly PlannedImage[]
  /** The header of the source. */
  readonly source: ProbeResult
}

/** Shows one plain sentence to the person who builds. */
export type Warn = (message: string) => void

/** Makes the finished image of the engine's result. */
export function finishedImage(planned: WorkableImage, result: OptimizeResult): FinishedImage {
  const { data, info, placeholder } = result
  const extension = extensionFor(info.type, path.extname(planned.file).slice(1).toLowerCase())
  const { type, width, height } = info
  const name = `${planned.stem}.${extension}`
  return { planned, data, type, name, width, height, result, ...(placeholder && { placeholder }) }
}

/** Says why an image is no smaller: by the rule that decided its operations, else as the engine found. */
export function whyOfPlanned({ reason }: Pick<ImageIdentity, 'reason'>, found: Why | undefined): Why | undefined {
  return reason === undefined ? found : { because: 'texture', rule: reason }
}

/**
 * Returns the bytes that a bundler's size limit looks at. Compression must not move a reference below it, as a `data:`
 * URL does not do all that a file does. Directives ask for another image, which has its own size.
 */
export const bytesForLimit = ({ planned, data }: FinishedImage): Uint8Array =>
  planned.isAsked === true ? data : planned.source

/** Makes the finished image of an untouched source. */
export function untouchedImage(planned: PlannedImage | OriginalImage): FinishedImage {
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
 * Plans a source that is worked on.
 * @param isSized whether its own reference asks for a size, which its name then tells
 */
export function workableImage(plan: Plan, file: string, source: Uint8Array, isSized: boolean): WorkableImage {
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
  }
}

/** Plans a source that cannot be worked on. */
export function brokenImage(file: string, source: Uint8Array, problem: PixpressError): BrokenImage {
  return { ...unworked(file, source), extension: path.extname(file).slice(1).toLowerCase(), problem }
}

/** Plans a source that is used as it is. */
export function originalImage(file: string, source: Uint8Array): OriginalImage {
  return { ...unworked(file, source), extension: path.extname(file).slice(1), problem: undefined }
}

/** Identifies a source that is not worked on by the digest of its bytes. */
function unworked(file: string, source: Uint8Array) {
  const id = createHash('sha256').update(source).digest('hex').slice(0, 16)
  return { id, file, source, stem: path.basename(file, path.extname(file)), plan: undefined }
}
