/**
 * Types of the data in the HTML page of a report. page-data.ts writes the data, and the page's own script
 * (packages/core/page) reads it. This module imports nothing because both sides compile it.
 */

/** One image of the report. */
export interface PageImage {
  readonly source: string
  /** Extensions of the types of result and source: `avif`. */
  readonly type: string
  readonly inputType: string
  /** Bytes of the source. */
  readonly before: number
  /** Bytes of the result. */
  readonly after: number
  /** Size of the result in pixels; 0 for an SVG without a size. */
  readonly width: number
  readonly height: number
  readonly cached: boolean
  /** SSIMULACRA2 score of the result. Absent if nothing was compared. */
  readonly score?: number
  /** The score that the result was to keep. Absent if that is not known. */
  readonly promise?: number
  /** The reason for which the image is not smaller or in another type: one or two sentences. */
  readonly why?: string
  /** The same reason without figures, by which the page groups images. */
  readonly kind?: string
  /** The alternative type and its size: `would be 41.0 kB as AVIF`. */
  readonly wouldBe?: string
  /** The same alternative: extension of its type, and bytes. */
  readonly other?: { readonly type: string; readonly size: number }
  /** Remarks, one sentence each. */
  readonly notes: readonly string[]
  /** Other files with the same bytes. */
  readonly duplicates?: readonly string[]
  /** Milliseconds of work on the image in this run. */
  readonly milliseconds?: number
  /** `true` if the image looks like a photograph that is delivered as PNG. */
  readonly isPhotoAsPng?: true
  /** The result of the tool that pixpress replaces in this project. */
  readonly baseline?: PageBaseline
  /** A `data:` URL. */
  readonly thumbnail?: string
  /** URLs relative to the page. Absent if the file was not found. */
  readonly beforeLink?: string
  readonly afterLink?: string
  /** Files of the build that refer to the result, relative to the page. */
  readonly places?: readonly string[]
  /** Object storage address of the result. */
  readonly address?: string
}

/** The result of another tool for the same request. */
export interface PageBaseline {
  readonly tool: string
  /** Extension of its type. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** SSIMULACRA2 score. Absent if none can be computed. */
  readonly score?: number
  /** `true` if the result keeps the promise of the image. */
  readonly keepsPromise?: boolean
}

/** An image that differs between two reports. */
export interface PageChange {
  readonly source: string
  readonly type: string
  readonly width: number
  readonly state: 'added' | 'removed' | 'smaller' | 'larger' | 'changed'
  /** Bytes of the result in the older and in the newer report. */
  readonly old?: number
  readonly new?: number
  readonly oldScore?: number
  readonly newScore?: number
}

/** An image that stays as it is, and why. */
export interface PageFailure {
  readonly source: string
  readonly code: string
  readonly message: string
  /** Damaged, rather than whole and left out for another reason. */
  readonly isBroken: boolean
}

/** The data that the page embeds as JSON. */
export interface PageData {
  /** The step that would save most, as a clause. Absent if none is known. */
  readonly worth?: string
  /** The same step: the text to paste or to leave out, how it is read, and what it saves. */
  readonly step?: {
    readonly setting: string
    readonly reader: 'options' | 'without' | 'command' | 'person'
    /** Bytes. */
    readonly saves: number
    /** Number of images that the step was computed for. */
    readonly images: number
  }
  readonly totals: {
    readonly images: number
    readonly cached: number
    readonly failed: number
    /** Bytes, as in the report's totals. */
    readonly before: number
    readonly after: number
    readonly made: number
    readonly milliseconds: number
  }
  readonly images: readonly PageImage[]
  readonly failures: readonly PageFailure[]
  /** Milliseconds of each phase, summed over all threads. The longest phase comes first. */
  readonly phases: readonly (readonly [name: string, milliseconds: number])[]
  /**
   * Bytes of images that a browser loads for each page of the build, per viewport. Absent if the build has no pages.
   */
  readonly delivered?: {
    readonly viewports: readonly { readonly width: number; readonly ratio: number }[]
    /** The heaviest page comes first. */
    readonly pages: readonly {
      readonly page: string
      readonly images: number
      /** Number of pictures whose file is not in the build. */
      readonly unknown: number
      /** Bytes for each entry of `viewports`, in its order. */
      readonly bytes: readonly number[]
    }[]
    /** Number of pages that are not listed. */
    readonly more: number
  }
  /** Sentences that compare the images with the results of other tools. Absent if none were measured. */
  readonly baseline?: readonly string[]
  /** Present only if the report is compared with an older one. */
  readonly changes?: {
    readonly list: readonly PageChange[]
    readonly unchanged: number
    /** Bytes of all images. */
    readonly old: number
    readonly new: number
  }
}
