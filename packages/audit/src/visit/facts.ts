import type { ProbeResult } from '@pixpress/core'
import type { PageFacts } from './page-facts.ts'
import type { Viewport } from './viewports.ts'

/** A file that came over the network. */
export interface LoadedImage {
  readonly url: string
  readonly status: number
  /** Content type that the server says, without parameters. */
  readonly mimeType: string
  /** Size of the body. */
  readonly bytes: number
  /** SHA-256 of the body. */
  readonly digest: string
  /** `undefined`: it is no image, or a broken one. */
  readonly header: ProbeResult | undefined
  /** Images of pixels inside of an SVG, with their bytes as encoded there. Absent where there are none. */
  readonly rasters?: SvgRasters
}

/** Images of pixels that an SVG holds as `data:` URLs. */
export interface SvgRasters {
  readonly count: number
  readonly bytes: number
  /** Names of their types, in order. */
  readonly types: readonly string[]
}

/** One page in one viewport. */
export interface Visit {
  /** Path of the page, for people. */
  readonly page: string
  readonly viewport: Viewport
  readonly facts: PageFacts
  /** Images by their URLs. */
  readonly loaded: ReadonlyMap<string, LoadedImage>
  /** URLs that were asked for before anybody scrolled. */
  readonly early: ReadonlySet<string>
  /** The page as it came, before any script. */
  readonly html: string
  /** URLs of other machines, which were not loaded. */
  readonly refused: readonly string[]
  /** Errors that scripts of the page threw and nothing caught, the first line of each. */
  readonly errors: readonly string[]
}
