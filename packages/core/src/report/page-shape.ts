/**
 * What the HTML page of a report shows: made by page-data.ts, read by the page's own script (packages/core/page). It imports
 * nothing, as it is read on both sides.
 */

/** One image of the report. */
export interface PageImage {
  readonly source: string
  /** Extensions of the result's and the source's type: `avif`. */
  readonly type: string
  readonly inputType: string
  /** Bytes of the source. */
  readonly before: number
  /** Bytes of the result. */
  readonly after: number
  /** Pixels of the result; 0 where there is no size. */
  readonly width: number
  readonly height: number
  readonly cached: boolean
  /** SSIMULACRA2, where something was compared. */
  readonly score?: number
  /** Why it is no smaller, or in another type: one sentence or two. */
  readonly why?: string
  /** The same without its figures, which images of one kind share. */
  readonly kind?: string
  /** What it would be in its next type: `would be 41.0 kB as AVIF`. */
  readonly wouldBe?: string
  /** Remarks, one sentence each. */
  readonly notes: readonly string[]
  /** Files with the same bytes under other names. */
  readonly duplicates?: readonly string[]
  /** What the image took in this run. */
  readonly milliseconds?: number
  /** Whether it looks like a photograph that is delivered as PNG. */
  readonly isPhotoAsPng?: true
  /** What the tool in whose place it was made would have delivered. */
  readonly baseline?: PageBaseline
  /** A `data:` URL. */
  readonly thumbnail?: string
  /** URLs relative to the page, where the files are there. */
  readonly beforeLink?: string
  readonly afterLink?: string
  /** Files of the build that name the result, relative to the page. */
  readonly places?: readonly string[]
  /** Where the command stored the result. */
  readonly address?: string
}

/** What another tool would have delivered. */
export interface PageBaseline {
  readonly tool: string
  /** An extension, as that of the image. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** SSIMULACRA2, where it can be compared. */
  readonly score?: number
  /** Whether it keeps the image's promise. */
  readonly keepsPromise?: boolean
}

/** One image in which two reports differ. */
export interface PageChange {
  readonly source: string
  readonly type: string
  readonly width: number
  readonly state: 'added' | 'removed' | 'smaller' | 'larger' | 'changed'
  /** Bytes of the result in the older report, and in the newer one. */
  readonly old?: number
  readonly new?: number
  readonly oldScore?: number
  readonly newScore?: number
}

export interface PageData {
  /** The step that would save most, as a clause; absent where none is known. */
  readonly worth?: string
  readonly totals: {
    readonly images: number
    readonly cached: number
    readonly failed: number
    /** Bytes, as in the report. */
    readonly before: number
    readonly after: number
    readonly made: number
    readonly milliseconds: number
  }
  readonly images: readonly PageImage[]
  readonly failures: readonly { readonly source: string; readonly code: string; readonly message: string }[]
  /** Milliseconds of all threads together, by what they went into; the most first. */
  readonly phases: readonly (readonly [name: string, milliseconds: number])[]
  /** What the build's own pages make a browser load, by the window they are shown in. Absent where there are no pages. */
  readonly delivered?: {
    readonly viewports: readonly { readonly width: number; readonly ratio: number }[]
    /** The heaviest first. */
    readonly pages: readonly {
      readonly page: string
      readonly images: number
      /** Pictures whose file is not in the build. */
      readonly unknown: number
      /** By viewport. */
      readonly bytes: readonly number[]
    }[]
    /** Pages that are not listed. */
    readonly more: number
  }
  /** How the images compare with what other tools would have delivered, as sentences. Absent where that was not measured. */
  readonly baseline?: readonly string[]
  /** Only where the report is compared with an older one. */
  readonly changes?: {
    readonly list: readonly PageChange[]
    readonly unchanged: number
    /** Bytes of all images. */
    readonly old: number
    readonly new: number
  }
}
