// oxlint-disable-next-line typescript/triple-slash-reference -- an import would make this file a module
/// <reference path="./dist/client-endings.d.ts" />
/**
 * Types of image imports with directives. Load them once, in `compilerOptions.types` or at the top of any source file:
 *
 * ```ts
 * /// <reference types="unplugin-pixpress/client" />
 * import hero from './hero.jpg?w=640;1280&format=avif;webp;jpg&as=picture'
 * ```
 *
 * TypeScript tells the imports apart by how they end, since a module pattern can have only one `*`. So `as=…` has to be
 * the last directive, also where a preset says it already (`?preset=hero&as=picture`). A query that ends in another
 * directive is taken for the URL that it mostly is (`?w=640`, `?w=640&format=webp`), and for URLs behind a `;`
 * (`?format=avif;webp`): common numbers and every word. The plugin's option `types` has none of these limits: exact
 * types, in any order. Other endings can be declared in the project, with the types of this file:
 *
 * ```ts
 * declare module '*?preset=hero' {
 *   const picture: Pixpress.Picture
 *   export default picture
 * }
 * declare module '*&as=meta:format;size' {
 *   export const format: Pixpress.Metadata['format']
 *   export const size: number
 * }
 * ```
 *
 * `as=url` is typed as the one URL that it usually is, and `as=metadata` as that of one image; with several images both
 * give an array. With `lqip`, the default export has its members; the named ones are in generated types. Images without
 * directives, and Vite's `?url`, `?raw`, `?inline` and `?no-inline`, are typed by the bundler's or framework's own
 * declarations (`vite/client`, Next.js, Astro), which this file leaves alone.
 */

declare namespace Pixpress {
  /** `as=img`: the attributes of an `<img>`. */
  interface Img {
    /** URL of the widest image. */
    src: string
    /** Its width in pixels. */
    w: number
    /** Its height in pixels. */
    h: number
    /** Every image with its descriptor; only where there are several. */
    srcset?: string
    /** Only with `lqip`: a `data:` URL to show until the image is there. */
    placeholder?: string
    /** Only with `lqip`: `#rrggbb`, `#rrggbbaa` where the image is not opaque. */
    color?: string
    /** Only with `lqip=thumbhash` and `lqip=blurhash`. */
    hash?: string
    /** Only with `lqip`: pixels of the image behind `src`. */
    width?: number
    height?: number
  }

  /** `as=picture`: the `<source>`s of a `<picture>` and its `<img>`. */
  interface Picture {
    /** Type to srcset: each is a `<source type="image/${type}" srcset>`, in this order. */
    sources: Record<string, string>
    /**
     * The sources of a preset with parts for media: `<source media type srcset width height>` each, before the others.
     */
    media?: { media: string; type: string; srcset: string; w: number; h: number }[]
    /** The fallback: the widest image of the format asked for last. */
    img: { src: string; w: number; h: number }
    /** Only with `lqip`: a `data:` URL to show until the image is there. */
    placeholder?: string
    /** Only with `lqip`: `#rrggbb`, `#rrggbbaa` where the image is not opaque. */
    color?: string
    /** Only with `lqip=thumbhash` and `lqip=blurhash`. */
    hash?: string
    /** Only with `lqip`: pixels of the image behind `img.src`. */
    width?: number
    height?: number
  }

  /** `as=metadata`: what is known of the image that was made. */
  interface Metadata {
    /** The last part of its MIME type. */
    format: 'avif' | 'webp' | 'jpeg' | 'png' | 'gif' | 'svg+xml' | 'jxl' | 'tiff' | 'bmp' | 'heic'
    /** Bytes. */
    size: number
    /** Pixels. */
    width: number
    /** Pixels. */
    height: number
    /** Colour space in sharp's words: `srgb`, `b-w`, `rgb16`, … */
    space: string
    channels: number
    /** Type of a sample in sharp's words: `uchar` has 8 bits, `ushort` 16. */
    depth: string
    /** Pixels per inch, where the file says so. */
    density?: number
    chromaSubsampling?: string
    /** Tells whether a colour profile is embedded. */
    hasProfile: boolean
    /** Tells whether it is stored in scans that show it early. */
    isProgressive: boolean
    /** Tells whether its format has an alpha channel in use. */
    hasAlpha: boolean
    /** URL. */
    src: string
    /** Only with `lqip`: a `data:` URL to show until the image is there. */
    placeholder?: string
    /** Only with `lqip`: `#rrggbb`, `#rrggbbaa` where the image is not opaque. */
    color?: string
    /** Only with `lqip=thumbhash` and `lqip=blurhash`. */
    hash?: string
  }
}

declare module '*?as=url' {
  const url: string
  export default url
}

declare module '*&as=url' {
  const url: string
  export default url
}

declare module '*?as=srcset' {
  const srcset: string
  export default srcset
}

declare module '*&as=srcset' {
  const srcset: string
  export default srcset
}

declare module '*?as=img' {
  const img: Pixpress.Img
  export default img
  export const src: Pixpress.Img['src']
  export const w: Pixpress.Img['w']
  export const h: Pixpress.Img['h']
}

declare module '*&as=img' {
  const img: Pixpress.Img
  export default img
  export const src: Pixpress.Img['src']
  export const w: Pixpress.Img['w']
  export const h: Pixpress.Img['h']
}

declare module '*?as=picture' {
  const picture: Pixpress.Picture
  export default picture
  export const sources: Pixpress.Picture['sources']
  export const img: Pixpress.Picture['img']
}

declare module '*&as=picture' {
  const picture: Pixpress.Picture
  export default picture
  export const sources: Pixpress.Picture['sources']
  export const img: Pixpress.Picture['img']
}

declare module '*?as=metadata' {
  const metadata: Pixpress.Metadata
  export default metadata
  export const format: Pixpress.Metadata['format']
  export const size: Pixpress.Metadata['size']
  export const width: Pixpress.Metadata['width']
  export const height: Pixpress.Metadata['height']
  export const space: Pixpress.Metadata['space']
  export const channels: Pixpress.Metadata['channels']
  export const depth: Pixpress.Metadata['depth']
  export const hasProfile: Pixpress.Metadata['hasProfile']
  export const isProgressive: Pixpress.Metadata['isProgressive']
  export const hasAlpha: Pixpress.Metadata['hasAlpha']
  export const src: Pixpress.Metadata['src']
}

declare module '*&as=metadata' {
  const metadata: Pixpress.Metadata
  export default metadata
  export const format: Pixpress.Metadata['format']
  export const size: Pixpress.Metadata['size']
  export const width: Pixpress.Metadata['width']
  export const height: Pixpress.Metadata['height']
  export const space: Pixpress.Metadata['space']
  export const channels: Pixpress.Metadata['channels']
  export const depth: Pixpress.Metadata['depth']
  export const hasProfile: Pixpress.Metadata['hasProfile']
  export const isProgressive: Pixpress.Metadata['isProgressive']
  export const hasAlpha: Pixpress.Metadata['hasAlpha']
  export const src: Pixpress.Metadata['src']
}

declare module '*?as=meta' {
  const metadata: Pixpress.Metadata
  export default metadata
  export const format: Pixpress.Metadata['format']
  export const size: Pixpress.Metadata['size']
  export const width: Pixpress.Metadata['width']
  export const height: Pixpress.Metadata['height']
  export const space: Pixpress.Metadata['space']
  export const channels: Pixpress.Metadata['channels']
  export const depth: Pixpress.Metadata['depth']
  export const hasProfile: Pixpress.Metadata['hasProfile']
  export const isProgressive: Pixpress.Metadata['isProgressive']
  export const hasAlpha: Pixpress.Metadata['hasAlpha']
  export const src: Pixpress.Metadata['src']
}

declare module '*&as=meta' {
  const metadata: Pixpress.Metadata
  export default metadata
  export const format: Pixpress.Metadata['format']
  export const size: Pixpress.Metadata['size']
  export const width: Pixpress.Metadata['width']
  export const height: Pixpress.Metadata['height']
  export const space: Pixpress.Metadata['space']
  export const channels: Pixpress.Metadata['channels']
  export const depth: Pixpress.Metadata['depth']
  export const hasProfile: Pixpress.Metadata['hasProfile']
  export const isProgressive: Pixpress.Metadata['isProgressive']
  export const hasAlpha: Pixpress.Metadata['hasAlpha']
  export const src: Pixpress.Metadata['src']
}

/** The selection that an `<img>` needs. */
declare module '*as=meta:width;height' {
  export const width: Pixpress.Metadata['width']
  export const height: Pixpress.Metadata['height']
}

/** The file's own bytes, untouched. */
declare module '*?original' {
  const url: string
  export default url
}

declare module '*&original' {
  const url: string
  export default url
}
