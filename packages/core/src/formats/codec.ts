/**
 * What the engine needs of a format besides its facts. A format's folder exports one `Codec`; `formats/index.ts` lists
 * them. Members that a format does not have are left out: each says what holds then.
 */
import type { AnimationRequest, Candidate, EncodeRequest, Encoder } from '../encoding/request.ts'
import type { Metadata } from '../metadata/types.ts'
import type { Effort, ResolvedOperations, ResolvedSettings } from '../types.ts'
import type { Frames, Timing } from '../encoding/frames.ts'
import type { ColourSpace } from '../colour/colour-space.ts'
import type { Picture } from '../encoding/picture.ts'
import type { Raster } from '../resample/raster.ts'
import type { Size } from '../resample/size.ts'
import type { Facts, FormatName, WritableName } from './facts.ts'

/** What a header says, as far as it differs from format to format. */
export interface Header extends Size {
  readonly hasAlpha: boolean
  /** 1 for a still image; 2 stands for several where they are not counted. */
  readonly frames: number
  /** Bits per channel. */
  readonly depth: number
}

/** An image that cannot be worked on, and stays as it is. */
export interface Unsupported {
  /** Its kind, with an article: `an AVIF sequence`. */
  readonly kind: string
  /** One sentence that tells a person why it stays. */
  readonly note: string
  /** Whether a change that is asked for can be made all the same: then it only stays as it is unasked. Default `false`. */
  readonly changeable?: boolean
}

/** The frames of an animation as they are seen. */
export interface ComposedAnimation {
  readonly frames: Frames
  readonly timing: Timing
}

/** What came of rewriting a file. */
export interface Rewritten {
  /** The smaller file; absent where the source stays. */
  readonly data?: Uint8Array
  /** Sentences for a person, such as why the source stays. */
  readonly notes: readonly string[]
}

/** What tells a lossy result of this engine, in bits that no decoder looks at, so that it takes no bytes. */
export interface Mark {
  /**
   * The file marked, of the same length; the same bytes where its structure is not understood.
   * @param promise that it keeps, from 1 to 100
   */
  write(data: Uint8Array, promise: number): Uint8Array
  /** The promise that a marked file was made for, rounded down, or less; `undefined` of all other files. Never throws. */
  read(source: Uint8Array): number | undefined
  /** Whether other programs were seen to write files with the same mark. Default: none were */
  isDoubtful?(source: Uint8Array): boolean
}

export interface Codec {
  /** Reads the header. `undefined` where it cannot be read. By default sharp reads it. */
  probe?(source: Uint8Array): Header | undefined
  /** Reads the header of a file that sharp does not read. `undefined` where it cannot be read. By default there are none. */
  probeUnread?(source: Uint8Array): Header | undefined
  /** The number of frames, where sharp does not see them. */
  countFrames?(source: Uint8Array): number
  /** The size of the canvas that the header gives. It must be that of the frames, which sharp gives; by default it is. */
  canvas?(source: Uint8Array): Size
  /** Whether the image has clear places that sharp takes for opaque. By default sharp sees them. */
  isClearUnseen?(source: Uint8Array): boolean
  /** Says of an image that it cannot be worked on. By default all can. */
  unsupported?(source: Uint8Array, frames: number): Unsupported | undefined
  /**
   * Pixels up to which a file of less than one byte per thousand pixels is nothing unusual. Larger ones of that kind are
   * left alone: there is nothing to gain, and they are made to cost memory. Default 0.
   */
  readonly mostTightPixels?: number

  /** For files that are no grid of pixels, and so are neither decoded, resized nor converted. */
  readonly rewrite?: {
    /** What such an image is called, with an article. */
    readonly kind: string
    /**
     * Makes the file smaller.
     * @throws PixpressError `DECODE_FAILED`, or `INVALID_OPTION` where the caller's own configuration of the rewriting fails
     */
    run(source: Uint8Array, operations: ResolvedOperations): Promise<Rewritten>
    /** What it shows, small, as interleaved RGBA. `undefined` where that cannot be told, or might take too much. */
    show(source: Uint8Array): Promise<(Size & { readonly data: Uint8Array }) | undefined>
  }
  /**
   * Makes animations smaller without loss and frame by frame, also such of more pixels in all frames than are decoded at
   * once. By default those are refused.
   */
  readonly repack?: {
    /** Pixels of the largest canvas. */
    readonly mostPixels: number
    /** `undefined` where nothing is gained, or where readers may disagree about what the file shows. Never throws. */
    run(source: Uint8Array, effort: Effort): Uint8Array | undefined
  }
  /**
   * Decodes a still image to upright interleaved RGBA of 8 bits in sRGB. By default sharp decodes.
   * @throws Error when the data is damaged
   */
  decode?(source: Uint8Array): Promise<Size & { readonly data: Uint8Array }>
  /**
   * Composes the frames of an animation that sharp does not show as browsers do, or of which it reads the first only.
   * `undefined` for all other images.
   * @throws Error when the pixels cannot be decoded
   */
  compose?(source: Uint8Array): Promise<ComposedAnimation | Unsupported | undefined>
  /** The colour space that a file describes by other means than an ICC profile. By default sRGB. */
  colourSpace?(source: Uint8Array): ColourSpace | undefined
  /** An ICC profile that sharp does not find. By default it finds all. */
  profile?(source: Uint8Array): Uint8Array | undefined
  /** The samples that sharp decoded, as browsers decode them. By default they are the same. */
  asBrowsers?(samples: Raster, source: Uint8Array): Raster
  /** Browsers compute its colours with fewer bits than sharp, or round at other places. By default they do the same. */
  readonly roundsOtherwise?: true
  /** Browsers cut its 16 bits down to 8, and only look up colours in tables before that. By default they round at the end. */
  readonly cutToBytes?: true
  /** Lets go of the memory that grew with a large picture, once the work on it is done. */
  release?(): void

  /** Writes an animation. Required of formats whose facts say `animation`. */
  encodeAnimation?(request: AnimationRequest): Promise<Candidate[]>
  /**
   * The ways in which readers come from the samples of a result of more than 8 bits to those that they show, the one first that
   * mostly scores lowest. By default results have 8 bits. `samples` are of 16 bits, as libvips gives them: with as many bits as
   * the file has, shifted up.
   */
  readonly shownSamples?: readonly ((samples: Uint16Array, bits: number, channels: 3 | 4) => Buffer)[]
  /** Its files can keep the orientation of the source: its encoder may use the source's own bytes although EXIF rotates them. */
  readonly keepsOrientation?: true
  /**
   * The file rotated upright as EXIF says, without a tag and without loss. `undefined` where that cannot be done. By default
   * it cannot. Never throws.
   */
  rotate?(source: Uint8Array): Uint8Array | undefined
  /**
   * The file with Display P3 as its colour space, the same bytes where it has a profile already. A format without this
   * gets sRGB.
   */
  inDisplayP3?(data: Uint8Array, picture: Size & { readonly channels: 3 | 4 }): Uint8Array
  /**
   * The share of its bytes below which a source is worth encoding again in its own type, see `WORTHWHILE`. Default 1.
   * @param result whose score may allow more than others'
   */
  worthwhileShare?(source: Uint8Array, result?: { readonly score: number; readonly promise: number }): number
  /** How lossy results of this engine are known when they come back as sources. By default they are not. */
  readonly mark?: Mark

  /** Metadata that can be preserved. By default there is none. Never throws. */
  readMetadata?(source: Uint8Array): Metadata
  /** Removes metadata without touching a pixel; the same bytes where there is nothing to remove. By default it does nothing. */
  stripMetadata?(source: Uint8Array): Uint8Array
  /** EXIF orientation 1 to 8, where browsers apply it. Without this the pixels stay as they are stored. */
  readOrientation?(source: Uint8Array): number
}

/** A format that others can be converted to. */
export interface WritableCodec<Name extends WritableName = WritableName> extends Codec {
  /** Ways to write the picture, by search for the target. */
  encode: Encoder
  /** The picture written once, with settings of the caller's own. @throws PixpressError `ENCODE_FAILED` */
  encodePlain(picture: Picture, settings: ResolvedSettings<Name>): Promise<Uint8Array>
  /** The picture with every pixel as it is, in one or more ways; none where the type cannot. From its source's own bytes where those are given. */
  encodeLossless(request: Pick<EncodeRequest, 'picture' | 'source' | 'effort'>): Promise<readonly Uint8Array[]>
  /** Adds metadata to a file that has none. */
  writeMetadata(data: Uint8Array, metadata: Metadata): Uint8Array
  /** Pixels that its encoder can hold. By default there is no limit but that of inputs. */
  readonly mostPixels?: number
  /** Pixels that each side of its files can have. By default there is no limit but that of inputs. */
  readonly mostSide?: number
}

/** The codec of a format, with what its facts promise. */
export type CodecFor<Name extends FormatName> = (Name extends WritableName ? WritableCodec<Name> : Codec) &
  (Facts[Name]['animation'] extends true ? Required<Pick<Codec, 'encodeAnimation'>> : unknown)

/**
 * Shares of its bytes, losslessly recompressed, below which a lossy file is encoded again in its own type. A file that has
 * been through an encoder scores high against itself with fewer bytes: encoded for a score of 80 five times, 13 pictures
 * scored 80 to 84, 68 to 77, 59 to 70 and at last 40 to 62 against the first. So a result of ours is not encoded again,
 * which `Codec.mark` and a JPEG's tables tell. A file of others is at its first generation here: with 0.85 of JPEG files
 * and 0.8 of WebP files, a peer's result kept the promise in fewer bytes for 4 of 71 JPEG files on npm and for 5 of 18 WebP
 * files of public sites; with 0.97 for none.
 */
export const WORTHWHILE = {
  /** Of JPEG, WebP and AVIF files of others. */
  blocks: 0.97,
  /** Of PNG files whose palette others have chosen; what scores far above the promise may take more (`png/chosen-colours.ts`). */
  palette: 0.85,
  /** Of what may have been ours: our JPEG files, and our results at a lower promise. */
  again: 0.5,
} as const
