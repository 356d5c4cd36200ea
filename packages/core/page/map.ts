import type { PageImage } from '../src/report/page-shape.ts'
import { formatBytes, formatChange } from '../src/report/units.ts'
import { choice, element, labelled } from './element.ts'
import { squarify } from './treemap.ts'
import type { Tile } from './treemap.ts'

/** Tiles of the map; the lightest beyond are one. */
const MAX_TILES = 300

/** Width divided by height, as in the style. */
const ASPECT = 3

/** Shares of the page's area below which a tile has no room for a name. */
const LEAST_NAMED = { width: 0.07, height: 0.08 }

/**
 * The bytes of all images as areas: one tile for each source, coloured by what was saved. It is a picture for the eye;
 * the table says the same to those who do not see it, and opens images by keyboard.
 */
export function createMap(images: readonly PageImage[], open: (image: PageImage) => void): HTMLElement | undefined {
  if (images.length === 0) return undefined
  const measure = choice([
    ['after', 'results, all widths and types'],
    ['before', 'sources'],
  ])
  const map = element('div', { className: 'map', role: 'img' })

  function draw(): void {
    const all = weigh(images, measure.value === 'after')
    const shown = all.slice(0, MAX_TILES)
    const others = all.slice(MAX_TILES).reduce((sum, { bytes }) => sum + bytes, 0)
    const weights = [...shown.map(({ bytes }) => bytes), ...(others > 0 ? [others] : [])]
    const heaviest = shown.slice(0, 3).map(({ image, bytes }) => `${image.source} ${formatBytes(bytes)}`)
    map.ariaLabel = `Bytes of ${all.length} sources as areas. The heaviest: ${heaviest.join(', ')}.`
    map.replaceChildren(
      ...squarify(weights, ASPECT).map((tile, at) => {
        const { image, bytes } = shown[at] ?? { image: undefined, bytes: others }
        const made = drawTile(tile, { image, bytes }, image?.source ?? `${all.length - MAX_TILES} others`)
        if (image !== undefined) made.addEventListener('click', () => open(image))
        return made
      }),
    )
  }
  measure.addEventListener('change', draw)
  draw()
  return element(
    'section',
    { ariaLabel: 'Map of bytes' },
    element('h2', { textContent: 'Where the bytes are' }),
    element(
      'div',
      { className: 'controls' },
      labelled('Bytes of', measure),
      element('p', { textContent: 'Greener: more was saved.' }),
    ),
    map,
  )
}

/** A source with its largest result, and the bytes that its area stands for. */
interface Weighed {
  readonly image: PageImage
  readonly bytes: number
}

/** Weighs sources by the bytes of their results, or by their own; the heaviest come first. */
function weigh(images: readonly PageImage[], byResults: boolean): Weighed[] {
  const sources = new Map<string, PageImage[]>()
  for (const image of images) sources.set(image.source, [...(sources.get(image.source) ?? []), image])
  return [...sources.values()]
    .map((made) => ({
      image: made.reduce((largest, each) => (each.after > largest.after ? each : largest)),
      bytes: byResults ? made.reduce((sum, { after }) => sum + after, 0) : made[0]!.before,
    }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
}

/** Draws a source, or without an image all those that have no tile of their own. */
function drawTile(
  tile: Tile,
  { image, bytes }: { readonly image: PageImage | undefined; readonly bytes: number },
  name: string,
): HTMLElement {
  const change = image === undefined ? '' : ` (${formatChange(image.before, image.after)})`
  const made = element('div', { className: 'tile', title: `${name}\n${formatBytes(bytes)}${change}` })
  if (tile.width >= LEAST_NAMED.width && tile.height >= LEAST_NAMED.height) {
    made.append(
      element('span', { textContent: name.replace(/^.*\//, '') }),
      element('span', { textContent: formatBytes(bytes) }),
    )
  }
  Object.assign(made.style, {
    left: `${tile.left * 100}%`,
    top: `${tile.top * 100}%`,
    width: `${tile.width * 100}%`,
    height: `${tile.height * 100}%`,
  })
  const saved = image === undefined || image.before === 0 ? 0 : Math.max(0, 1 - image.after / image.before)
  made.style.setProperty('--saved', `${Math.round(saved * 100)}%`)
  return made
}
