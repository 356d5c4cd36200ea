import type { Component } from 'svelte'
import type { HTMLImgAttributes } from 'svelte/elements'
import type { ImgModule, PictureModule } from '../dist/html.js'

export interface PictureProps extends Omit<HTMLImgAttributes, 'src' | 'srcset' | 'alt' | 'style'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
  style?: string
}

/** The `<picture>` of an import, with its placeholder. `slot` is set on it, all other properties on the `<img>`. */
export declare const Picture: Component<PictureProps>
