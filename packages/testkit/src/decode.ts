import sharp from 'sharp'

/** The format of an image file by its first bytes, told independently of the packages under test. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'svg' | 'jxl' | 'tiff' | 'bmp' | 'heic'

/** The format that each file name extension stands for. */
export const FORMAT_OF_EXTENSION: Readonly<Record<string, ImageFormat>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jpe: 'jpeg',
  jfif: 'jpeg',
  pjpeg: 'jpeg',
  pjp: 'jpeg',
  png: 'png',
  apng: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
  svg: 'svg',
  jxl: 'jxl',
  tif: 'tiff',
  tiff: 'tiff',
  bmp: 'bmp',
  dib: 'bmp',
  heic: 'heic',
  heif: 'heic',
}

/** An image with every pixel. */
export interface DecodedImage {
  readonly type: ImageFormat
  readonly width: number
  /** The height of one frame. */
  readonly height: number
  readonly frames: number
  readonly hasAlpha: boolean
  /** RGBA, 8 bits, sRGB, upright, frame after frame. */
  readonly pixels: Uint8Array
}

/** @returns `undefined` for what is no image of these formats */
export function detect(bytes: Uint8Array): ImageFormat | undefined {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'webp'
  if (/^[^]{4}ftyp(?:avi[fs]|[^]{8,40}?avi[fs])/.test(text)) return 'avif'
  if (/^[^]{4}ftyp(?:heic|heix|mif1)/.test(text)) return 'heic'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (text.startsWith('\xff\n') || text.startsWith('\0\0\0\fJXL ')) return 'jxl'
  if (/^(?:II[*+]\0|MM\0[*+])/.test(text)) return 'tiff'
  if (/^BM[^]{13}\0{3}/.test(text)) return 'bmp'
  return /<svg[\s>]/.test(text) ? 'svg' : undefined
}

/**
 * Decodes every pixel of every frame.
 * @throws Error when the bytes are no whole image
 */
export async function decode(bytes: Uint8Array): Promise<DecodedImage> {
  const type = detect(bytes)
  if (type === undefined) throw new Error('These bytes are no image.')
  const { pages = 1, hasAlpha } = await sharp(bytes, { animated: true }).metadata()
  const image = sharp(bytes, { animated: pages > 1, failOn: 'error' })
  // Browsers ignore the orientation of WebP.
  const upright = pages > 1 || type === 'webp' ? image : image.autoOrient()
  const { data, info } = await upright.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { type, width: info.width, height: info.height / pages, frames: pages, hasAlpha, pixels: data }
}
