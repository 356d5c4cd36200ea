import type { CodecFor, Header } from '../../encoding/codec.ts'
import { picturesInside } from './pictures-inside.ts'
import { unsupportedSvg } from './unsupported.ts'

/** Bytes in which the root element's tag is looked for. */
const HEAD = 65_536

/** A vector image: it has no pixels to decode, and no metadata that the engine knows, but for content credentials. */
export const svg: CodecFor<'svg'> = {
  probe: probeSvg,
  extras: (source) => ({ pictures: 0, hasCredentials: bytesOf(source).includes('<c2pa:manifest') }),
  unsupported: unsupportedSvg,
  rewrite: {
    kind: 'an SVG',
    async run(source, operations) {
      // svgo is loaded with the first SVG that is rewritten: a warm build has none.
      const { optimizeSvg } = await import('./optimise.ts')
      return optimizeSvg(source, operations)
    },
    inside: picturesInside,
    async show(source) {
      const { showSvg } = await import('./optimise.ts')
      return showSvg(source)
    },
  },
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** Returns an SVG's own idea of its size: `width` and `height` in pixels, else the `viewBox`, else 0. */
function probeSvg(source: Uint8Array): Header {
  const tag = /<(?:[\w-]+:)?svg\b[^>]*>/.exec(new TextDecoder().decode(source.subarray(0, HEAD)))?.[0] ?? ''
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]
  const box = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const length = (name: string, fallback: number | undefined): number => {
    const pixels = /^\s*([\d.]+)(?:px)?\s*$/.exec(attribute(name) ?? '')?.[1]
    const value = pixels === undefined ? fallback : Number(pixels)
    return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
  }
  return { width: length('width', box[2]), height: length('height', box[3]), hasAlpha: true, frames: 1, depth: 8 }
}
