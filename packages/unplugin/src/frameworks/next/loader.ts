/** Describes what `next/image` tells its loader: https://nextjs.org/docs/app/api-reference/components/image#loader */
export interface LoaderArguments {
  readonly src: string
  /** Pixels. */
  readonly width: number
  /** A score; undefined without the property `quality`. */
  readonly quality?: number
}

/** Photographs and drawings; vectors have every size already. */
const RASTER = /^\/(?!\/)[^?#]*\.(?:avif|gif|jpe?g|png|webp)$/i

/**
 * The URL of one size of an image of the site: a file beside it, which `pixpress-next` makes. Dev servers have the
 * image itself. Runs in browsers: imports nothing.
 */
export default function loader({ src, width, quality }: LoaderArguments): string {
  if (!RASTER.test(src)) return src
  if (process.env['NODE_ENV'] !== 'production') return `${src}?w=${width}`
  return `${src}.w${width}${quality === undefined ? '' : `-q${quality}`}.webp`
}
