/**
 * The parts of a format that the engine calls, besides its facts. A format's folder exports one `Codec`;
 * `formats/index.ts` lists them. A format leaves out the members that it does not have: each says what holds then.
 */
import type { AnimationRequest, Candidate, EncodeRequest, Encoder } from './request.ts'
import type { Metadata } from '../metadata/types.ts'
import type { Effort } from '../base/types.ts'
import type { Frames, Timing } from './frames.ts'
import type { ColourSpace } from '../colour/colour-space.ts'
import type { Picture } from './picture.ts'
import type { Raster } from '../resample/raster.ts'
import type { Size } from '../resample/size.ts'
import type { Facts, FormatName, WritableName } from '../base/format-names.ts'
import type { ResolvedOperations } from '../operations/index.ts'
import type { ResolvedSettings } from '../operations/encoder-settings.ts'

/** The parts of a header that differ from format to format. */
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
  /**
   * A change that the user asks for can be made all the same: the image then only stays as it is unasked. Default
   * `false`.
   */
  readonly changeable?: boolean
}

/** The frames of an animation as they are seen. */
export interface ComposedAnimation {
  readonly frames: Frames
  readonly timing: Timing
}

/** A raster image inside of a file. */
export interface PictureInside {
  /** The place of its base64 in the file. */
  readonly start: number
  readonly end: number
  readonly data: Uint8Array
}

/** The result of rewriting a file. */
export interface Rewritten {
  /** The smaller file; absent where the source stays. */
  readonly data?: Uint8Array
  /** Sentences for a person, such as why the source stays. */
  readonly notes: readonly string[]
}

/**
 * A mark by which a lossy result of this engine is recognised. It stands in bits that no decoder looks at, so it takes
 * no bytes.
 */
export interface Mark {
  /**
   * Returns the file marked, of the same length; the same bytes where its structure is not understood.
   * @param promise that it keeps, from 1 to 100
   */
  write(data: Uint8Array, promise: number): Uint8Array
  /**
   * Returns the promise that a marked file was made for, rounded down, or less; `undefined` of all other files. Never
   * throws.
   */
  read(source: Uint8Array): number | undefined
  /** Tells whether other programs were seen to write files with the same mark. Default: none were. */
  isDoubtful?(source: Uint8Array): boolean
}

/** The parts of a file besides its picture, which a result does not have unless they are carried over. */
export interface Extras {
  /** An HDR gain map. `file` is the map's own, where `GainMaps` can carry it over. */
  readonly gainMap?: { readonly file?: Uint8Array }
  /** Other pictures, such as that for the other eye; 0 if there are none. */
  readonly pictures: number
  /** Content credentials (C2PA), which tell who made and changed the file. */
  readonly hasCredentials: boolean
}

/** The part of a picture that a result shows, to which a gain map is fitted. */
export interface GainMapView {
  /** The EXIF orientation by which the picture was turned upright; 1 if it was not. */
  readonly orientation: number
  /** Shares of the upright picture's width and height; `undefined` if the result shows all of it. */
  readonly part?: Readonly<Record<'left' | 'top' | 'width' | 'height', number>> | undefined
  /** Width of the result divided by that of the part, at most 1. */
  readonly scale: number
}

/** How a format carries an HDR gain map over to a result. Screens stretch a map over the picture, whatever its size. */
export interface GainMaps {
  /** Returns the map's file for a part of the picture. @throws Error if the map cannot be decoded */
  fit(file: Uint8Array, view: GainMapView): Promise<Uint8Array>
  /** Returns the picture's file with the map. */
  attach(data: Uint8Array, map: Uint8Array): Uint8Array
}

/** The functions and limits of one format. */
export interface Codec {
  /** Reads the header; `undefined` where it cannot be read. Default: sharp reads it. */
  probe?(source: Uint8Array): Header | undefined
  /**
   * Reads the header of a file that sharp cannot read; `undefined` where it cannot be read. Default: sharp reads all
   * files.
   */
  probeUnread?(source: Uint8Array): Header | undefined
  /**
   * Returns the largest size that the header claims, before EXIF orientation, read without a decoder; `undefined` where
   * there is none to read. Never throws. Default: decoders are trusted with any claim.
   */
  claimedSize?(source: Uint8Array): Size | undefined
  /** Pictures of one file are pages, of which the first is read. Default: they are frames. */
  readonly hasPages?: true
  /** Returns the number of frames, where sharp does not see them. */
  countFrames?(source: Uint8Array): number
  /**
   * Returns the size of the canvas that the header gives. It must be that of the frames, which sharp gives; by default
   * it is.
   */
  canvas?(source: Uint8Array): Size
  /** Tells whether the image has transparent pixels that sharp takes for opaque. Default: sharp sees them all. */
  isClearUnseen?(source: Uint8Array): boolean
  /** Returns the reason why an image cannot be worked on. Default: every image can. */
  unsupported?(source: Uint8Array, frames: number): Unsupported | undefined
  /**
   * Pixels up to which a file of less than one byte per thousand pixels is nothing unusual. Larger ones of that kind
   * are left alone: there is nothing to gain, and they are made to cost memory. Default 0.
   */
  readonly mostTightPixels?: number

  /** For files that are no grid of pixels, and so are neither decoded, resized nor converted. */
  readonly rewrite?: {
    /** The kind of image, with an article: `an SVG`. */
    readonly kind: string
    /**
     * Makes the file smaller.
     * @throws PixpressError `DECODE_FAILED`, or `INVALID_OPTION` where the caller's own configuration of the rewriting
     * fails
     */
    run(source: Uint8Array, operations: ResolvedOperations): Promise<Rewritten>
    /** Finds the raster images inside, in order. Never throws. */
    inside(source: Uint8Array): readonly PictureInside[]
    /**
     * Renders the image at a small size, as interleaved RGBA; `undefined` where it cannot be rendered, or might take
     * too much.
     */
    show(source: Uint8Array): Promise<(Size & { readonly data: Uint8Array }) | undefined>
  }
  /**
   * Makes animations smaller without loss and frame by frame, even those with more pixels in all frames than are
   * decoded at once. Default: such animations are refused.
   */
  readonly repack?: {
    /** Pixels of the largest canvas. */
    readonly mostPixels: number
    /**
     * Returns `undefined` where nothing is gained, or where readers may disagree about what the file shows. Never
     * throws.
     */
    run(source: Uint8Array, effort: Effort): Uint8Array | undefined
  }
  /**
   * Decodes a still image to upright interleaved RGBA of 8 bits, in sRGB or in the space of `profile`. Default: sharp
   * decodes.
   * @throws Error when the data is damaged
   */
  decode?(source: Uint8Array): Promise<Size & { readonly data: Uint8Array }>
  /**
   * Composes the frames of an animation that sharp does not show as browsers do, or of which it reads the first only.
   * `undefined` for all other images.
   * @throws Error when the pixels cannot be decoded
   */
  compose?(source: Uint8Array): Promise<ComposedAnimation | Unsupported | undefined>
  /** Returns the colour space that a file describes other than by an ICC profile. Default: sRGB. */
  colourSpace?(source: Uint8Array): ColourSpace | undefined
  /** Returns an ICC profile that sharp does not find. Default: sharp finds all. */
  profile?(source: Uint8Array): Uint8Array | undefined
  /** Converts the samples that sharp decoded to those that browsers show. Default: they are the same. */
  asBrowsers?(samples: Raster, source: Uint8Array): Raster
  /**
   * Browsers compute the format's colours with fewer bits than sharp, or round at other places. Default: they do the
   * same.
   */
  readonly roundsOtherwise?: true
  /**
   * Browsers cut the format's 16 bits down to 8 before they look up colours in tables. Default: they round at the end.
   */
  readonly cutToBytes?: true
  /** Lets go of the memory that grew with a large picture, once the work on it is done. */
  release?(): void

  /** Writes an animation. Required of formats whose facts say `animation`. */
  encodeAnimation?(request: AnimationRequest): Promise<Candidate[]>
  /**
   * The conversions by which readers turn samples of more than 8 bits into those that they show; the one that mostly
   * scores lowest comes first. Default: results have 8 bits. `samples` have 16 bits, as libvips gives them: the bits of
   * the file, shifted up.
   */
  readonly shownSamples?: readonly ((samples: Uint16Array, bits: number, channels: 3 | 4) => Buffer)[]
  /**
   * Its files can keep the orientation of the source: its encoder may use the source's own bytes although EXIF rotates
   * them.
   */
  readonly keepsOrientation?: true
  /**
   * Rotates the file upright by its EXIF orientation, without a tag and without loss; `undefined` where that cannot be
   * done. Default: it cannot. Never throws.
   */
  rotate?(source: Uint8Array): Uint8Array | undefined
  /**
   * Returns the file with Display P3 as its colour space, the same bytes where it has a profile already. A format
   * without this gets sRGB.
   */
  inDisplayP3?(data: Uint8Array, picture: Size & { readonly channels: 3 | 4 }): Uint8Array
  /**
   * Returns the share of its bytes below which a source is worth encoding again in its own type, see `WORTHWHILE`.
   * Default 1.
   * @param result whose score may allow more than others'
   */
  worthwhileShare?(source: Uint8Array, result?: { readonly score: number; readonly promise: number }): number
  /** The mark that tells this engine's lossy results when they come back as sources. Default: they are not told. */
  readonly mark?: Mark

  /** Reads the metadata that can be preserved. Default: there is none. Never throws. */
  readMetadata?(source: Uint8Array): Metadata
  /**
   * Removes metadata without touching a pixel; returns the same bytes where there is nothing to remove. Default:
   * nothing is removed.
   */
  stripMetadata?(source: Uint8Array): Uint8Array
  /** Returns the file as sharp is to decode it, with the same picture. Default: as it is. */
  readable?(source: Uint8Array): Uint8Array
  /** Finds what a file has besides its picture. Default: nothing. Never throws. */
  extras?(source: Uint8Array): Extras
  /** Default: results have no gain maps. */
  readonly gainMaps?: GainMaps
  /** Reads the EXIF orientation, 1 to 8, where browsers apply it. Default: pixels stay as they are stored. */
  readOrientation?(source: Uint8Array): number
  /** The size in CSS pixels, upright, that browsers give a file by its EXIF resolution. Default: that of its pixels. */
  readonly shownSize?: {
    /** Returns `undefined` where it is the size of the pixels. Never throws. */
    read(source: Uint8Array): Size | undefined
    write(data: Uint8Array, size: Size): Uint8Array
  }
}

/** A format that others can be converted to. */
export interface WritableCodec<Name extends WritableName = WritableName> extends Codec {
  /** Ways to write the picture, by search for the target. */
  encode: Encoder
  /** Returns the picture written once, with settings of the caller's own. @throws PixpressError `ENCODE_FAILED` */
  encodePlain(picture: Picture, settings: ResolvedSettings<Name>): Promise<Uint8Array>
  /**
   * Returns the picture with every pixel as it is, in one or more ways; none where the type cannot. From its source's
   * own bytes where those are given.
   */
  encodeLossless(request: Pick<EncodeRequest, 'picture' | 'source' | 'effort'>): Promise<readonly Uint8Array[]>
  /** Adds metadata to a file that has none. */
  writeMetadata(data: Uint8Array, metadata: Metadata): Uint8Array
  /** The most pixels that the encoder can hold. Default: only the limit of inputs counts. */
  readonly mostPixels?: number
  /** The most pixels that each side of a file can have. Default: only the limit of inputs counts. */
  readonly mostSide?: number
}

/** The codec of a format, with what its facts promise. */
export type CodecFor<Name extends FormatName> = (Name extends WritableName ? WritableCodec<Name> : Codec) &
  (Facts[Name]['animation'] extends true ? Required<Pick<Codec, 'encodeAnimation'>> : unknown)

/**
 * Shares of its bytes, losslessly recompressed, below which a lossy file is encoded again in its own type. A file that
 * has been through an encoder scores high against itself with fewer bytes: encoded for a score of 80 five times, 13
 * pictures scored 80 to 84, 68 to 77, 59 to 70 and at last 40 to 62 against the first. So a result of ours is not
 * encoded again, which `Codec.mark` and a JPEG's tables tell. A file of others is at its first generation here: with
 * 0.85 of JPEG files and 0.8 of WebP files, a peer's result kept the promise in fewer bytes for 4 of 71 JPEG files on
 * npm and for 5 of 18 WebP files of public sites; with 0.97 for none.
 */
export const WORTHWHILE = {
  /** JPEG, WebP and AVIF files that another program wrote. */
  blocks: 0.97,
  /**
   * PNG files whose palette another program has chosen. A file that scores far above the promise may take more
   * (`png/chosen-colours.ts`).
   */
  palette: 0.85,
  /** Files that this engine may have written: our JPEG files, and our results at a lower promise. */
  again: 0.5,
} as const
