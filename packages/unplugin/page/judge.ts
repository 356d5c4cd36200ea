/** An image of the page, and its faults. */
export interface JudgedImage {
  readonly image: HTMLImageElement
  /** Faults in words; empty for an image that is delivered well. */
  readonly found: readonly string[]
  /** Directives that mend it, where the image is the project's own. */
  readonly advice: string | undefined
}

/** Path prefixes of images that components of frameworks get from pixpress. The server puts them before this script. */
declare const endpoints: readonly string[]

/**
 * Judges how an image of the page is delivered.
 * @param ids identities of the project's images
 */
export async function judge(image: HTMLImageElement, ids: ReadonlySet<string>): Promise<JudgedImage> {
  const url = new URL(image.currentSrc || image.src, location.href)
  const found: string[] = []
  const { width, height } = image.getBoundingClientRect()
  const isVector = /\.svg$/i.test(url.pathname) || url.href.startsWith('data:image/svg')
  const drawn = width * height * devicePixelRatio ** 2
  const css = Math.round(width)
  const { naturalWidth, naturalHeight } = image
  const isTooLarge = !isVector && naturalWidth > 0 && drawn > 0 && drawn < (naturalWidth * naturalHeight) / 2
  if (isTooLarge) found.push(`${naturalWidth} × ${naturalHeight} pixels drawn at ${css} × ${Math.round(height)}`)
  if (!image.hasAttribute('width') || !image.hasAttribute('height')) {
    const attributes = naturalWidth > 0 ? `: write width="${naturalWidth}" height="${naturalHeight}"` : ''
    found.push(`no width and height${attributes}`)
  }
  const isOwn = await isOurs(url, ids)
  if (!isOwn) found.push('not through pixpress')
  // Directives mean nothing behind the name of an image that is another's.
  return { image, found, advice: isTooLarge && isOwn ? `?w=${css * 2}` : undefined }
}

async function isOurs(url: URL, ids: ReadonlySet<string>): Promise<boolean> {
  if (url.protocol === 'data:' || endpoints.some((each) => url.pathname.startsWith(each))) return true
  if (url.origin !== location.origin) return false
  if (/\/@pixpress\/[\da-f]{16}\//.test(url.href)) return true
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
  const [, id = ''] = /"([\da-f]{16})"/.exec(answer?.headers.get('etag') ?? '') ?? []
  return ids.has(id)
}
