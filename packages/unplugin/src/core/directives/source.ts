import type { InputType } from '@pixpress/core'

/** Pixels as seen, that is after EXIF orientation; 0 where the source has none (an SVG without a size). */
export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** What has to be known of the source to resolve directives; a probe of its header gives it. */
export interface DirectiveSource extends Dimensions {
  readonly type: InputType
  readonly hasAlpha: boolean
  /** Default 1, a still image. */
  readonly frames?: number
}
