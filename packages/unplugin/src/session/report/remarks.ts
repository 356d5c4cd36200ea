import { formatBytes, visibleText } from '@pixpress/core/report'
import type { ReportImage, ReportUntouched } from '@pixpress/core/report'
import type { TextureReason } from '../../textures/textures.ts'
import { texturesLine } from './textures-line.ts'

/** A copy of a file that is delivered. */
export interface DeliveredCopy {
  /** Relative to the project's folder, with forward slashes. */
  readonly source: string
  /** Bytes that are delivered. */
  readonly bytes: number
}

/** An image that an `<img>` in HTML shows without width and height. */
interface UnsizedImage {
  /** Relative to the project's folder, with forward slashes. */
  readonly source: string
  /** The attributes to write. */
  readonly attributes: string
}

/** Facts of a build beyond its figures. */
export interface Remarks {
  /** Every source that stays lossless as a texture, and why. */
  readonly textures: ReadonlyMap<string, TextureReason>
  /** Sources that `maxWidth` scaled down. */
  readonly scaled: ReadonlySet<string>
  /** Copies that nothing of the output names. */
  readonly unnamed: readonly DeliveredCopy[]
  readonly unsized: readonly UnsizedImage[]
  /** Raster images of the output that nothing has worked on, the largest first. */
  readonly untouched: readonly ReportUntouched[]
}

/** The note that a copy has in the report. */
const UNNAMED = 'No page, stylesheet, script or model of the output names it.'

/** Copies and other files that are named one by one. */
const MOST_NAMED = 3

/** The lines of the terminal below the table. */
export function remarkLines({ textures, scaled, unnamed, unsized, untouched }: Remarks): string[] {
  return [
    ...(scaled.size > 0 ? [scaledLine(scaled.size)] : []),
    ...(unnamed.length > 0 ? [unnamedLine(unnamed)] : []),
    ...(unsized.length > 0 ? [unsizedLine(unsized)] : []),
    ...(untouched.length > 0 ? [untouchedLine(untouched)] : []),
    ...(textures.size > 0 ? [texturesLine(textures)] : []),
  ].map(visibleText)
}

const scaledLine = (count: number): string =>
  count === 1
    ? '1 image is wider than its `maxWidth`, and scaled down to it.'
    : `${count} images are wider than their \`maxWidth\`, and scaled down to it.`

function unnamedLine(copies: readonly DeliveredCopy[]): string {
  const largest = copies.toSorted((a, b) => b.bytes - a.bytes || (a.source < b.source ? -1 : 1))
  const bytes = copies.reduce((sum, each) => sum + each.bytes, 0)
  const named = largest.slice(0, MOST_NAMED).map((each) => `${each.source} (${formatBytes(each.bytes)})`)
  const rest = copies.length - named.length
  const verb = copies.length === 1 ? '1 copied image is' : `${copies.length} copied images are`
  return `${verb} in the output (${formatBytes(bytes)}) that no page, stylesheet, script or model of it names: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`
}

function unsizedLine(images: readonly UnsizedImage[]): string {
  const named = images.slice(0, MOST_NAMED).map(({ source, attributes }) => `${source} (${attributes})`)
  const rest = images.length - named.length
  const verb = images.length === 1 ? '1 image in HTML has' : `${images.length} images in HTML have`
  const their = images.length === 1 ? 'its' : 'their'
  return `${verb} no width and height. Unless styles set ${their} size, add: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`
}

function untouchedLine(files: readonly ReportUntouched[]): string {
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  const named = files.slice(0, MOST_NAMED).map(({ file, bytes: size, query }) => {
    const reason = query === undefined ? '' : `, as another tool may read '${query}'`
    return `${file} (${formatBytes(size)}${reason})`
  })
  const rest = files.length - named.length
  const verb = files.length === 1 ? '1 image of the output is' : `${files.length} images of the output are`
  const unexplained = files.filter(({ query }) => query === undefined).length
  const others = unexplained < files.length ? 'the others' : files.length === 1 ? 'it' : 'them'
  const next =
    unexplained === 0
      ? ''
      : ` Another plugin wrote ${others}: run \`npx pixpress compress\` on the sources, or list them in 'exclude'.`
  return `${verb} not compressed (${formatBytes(bytes)}): ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.${next}`
}

/**
 * Returns the images without width and height.
 * @param sources Images that HTML shows without them. One that the build has in several sizes is left out: its element
 *   may show any of them
 */
export function unsizedImages(images: Iterable<ReportImage>, sources: ReadonlySet<string>): UnsizedImage[] {
  const found = new Map<string, Set<string>>()
  for (const { source, duplicates = [], width, height } of images)
    for (const name of [source, ...duplicates].filter((each) => sources.has(each)))
      found.set(name, (found.get(name) ?? new Set()).add(`width="${width}" height="${height}"`))
  const alone = [...found].filter(([, sizes]) => sizes.size === 1)
  return alone.map(([source, sizes]) => ({ source, attributes: [...sizes].join('') })).sort(bySource)
}

const bySource = (a: UnsizedImage, b: UnsizedImage): number => (a.source < b.source ? -1 : 1)

/** Adds notes about what is known when all images are made. */
export function withRemarks(
  images: ReadonlyMap<string, ReportImage>,
  { scaled, unnamed, unsized }: Pick<Remarks, 'scaled' | 'unnamed' | 'unsized'>,
): ReadonlyMap<string, ReportImage> {
  if (scaled.size + unnamed.length + unsized.length === 0) return images
  const copies = new Set(unnamed.map(({ source }) => source))
  const attributes = new Map(unsized.map((each) => [each.source, each.attributes]))
  return new Map(
    [...images].map(([id, image]) => {
      const notes = [
        ...(scaled.has(image.source) ? ['It is wider than its `maxWidth`, and scaled down to it.'] : []),
        ...(copies.has(image.source) ? [UNNAMED] : []),
        ...(attributes.has(image.source)
          ? [`An <img> in HTML lacks width and height: ${attributes.get(image.source)}.`]
          : []),
      ]
      return [id, notes.length === 0 ? image : { ...image, notes: [...image.notes, ...notes] }]
    }),
  )
}
