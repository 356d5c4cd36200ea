import { element, bytesText, changeText } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { squarify } from './treemap.ts'
import type { Tile } from './treemap.ts'

/** Tiles of sources; the lightest beyond become one tile for each folder. */
const MOST_TILES = 240

/** Pixels below which a tile has no room for a name. */
const LEAST_NAMED = { width: 64, height: 40 }

/** Shares saved from which a tile has the next shade. */
const SHADES = [0.1, 0.3, 0.5, 0.7]

const SHADE_NAMES = ['under 10 %', '10–30 %', '30–50 %', '50–70 %', '70 % and more']

/** A map that can be drawn anew. */
export interface ByteMap {
  readonly element: HTMLElement
  show(images: readonly PageImage[]): void
}

/** A source, or the light sources of a folder, as a tile. */
interface Cell {
  readonly name: string
  /** Bytes of the source, and of its largest result, which tell the share saved. */
  readonly before: number
  readonly left: number
  /** Bytes of all results, which are its area. */
  readonly after: number
  /** The largest result of the source; absent where the tile stands for a folder. */
  readonly image?: PageImage
}

/**
 * The bytes of results as areas, shaded by the share saved. It is a picture for the eye; the table says the same to
 * those who do not see it, and opens images by keyboard.
 */
export function createMap(open: (image: PageImage) => void): ByteMap {
  const map = element('div', { className: 'map', role: 'img' })
  let cells: readonly Cell[] = []
  /** The size that the tiles were drawn for. */
  let drawn = ''

  const draw = (): void => {
    const { clientWidth: width, clientHeight: height } = map
    if (width === 0 || height === 0) return
    drawn = `${width} ${height}`
    const tiles = squarify(
      cells.map(({ after }) => after),
      width / height,
    )
    map.replaceChildren(
      ...tiles.map((tile, at) => {
        const cell = cells[at]!
        const made = drawTile(
          tile,
          cell,
          tile.width * width >= LEAST_NAMED.width && tile.height * height >= LEAST_NAMED.height,
        )
        if (cell.image !== undefined) made.addEventListener('click', () => open(cell.image!))
        return made
      }),
    )
  }
  // Its first call finds what has just been drawn, as it does whenever the map is shown again.
  new ResizeObserver(() => {
    if (drawn !== `${map.clientWidth} ${map.clientHeight}`) draw()
  }).observe(map)
  return {
    element: element('div', {}, map, legend()),
    show(images) {
      cells = cellsOf(images)
      const heaviest = cells.slice(0, 3).map(({ name, after }) => `${name} ${bytesText(after)}`)
      map.ariaLabel = `Bytes of results as areas. The heaviest: ${heaviest.join(', ')}.`
      draw()
    },
  }
}

/** Lists sources, the heaviest first, and the folders of the lightest. */
function cellsOf(images: readonly PageImage[]): readonly Cell[] {
  const sources = [...grouped(images, ({ source }) => source)]
    .map(([name, made]): Cell => {
      const image = made.reduce((largest, each) => (each.after > largest.after ? each : largest))
      return { name, before: image.before, left: image.after, after: sum(made, 'after'), image }
    })
    .filter(({ after }) => after > 0)
    .sort(byWeight)
  const folders = [...grouped(sources.slice(MOST_TILES), ({ name }) => name.replace(/[^/]*$/, ''))].map(
    ([folder, light]): Cell => ({
      name: `${light.length} more in ${folder || 'the root'}`,
      before: sum(light, 'before'),
      left: sum(light, 'left'),
      after: sum(light, 'after'),
    }),
  )
  return [...sources.slice(0, MOST_TILES), ...folders].sort(byWeight)
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

const sum = <Name extends string>(items: readonly { readonly [Key in Name]: number }[], name: Name): number =>
  items.reduce((all, each) => all + each[name], 0)

const byWeight = (a: Cell, b: Cell): number => b.after - a.after

function drawTile(tile: Tile, { name, before, left, after, image }: Cell, isNamed: boolean): HTMLElement {
  const made = element('div', {
    className: image === undefined ? 'tile folder' : 'tile',
    title: `${name}\n${bytesText(after)} (${changeText(before, left)})`,
  })
  made.dataset['shade'] = String(SHADES.filter((least) => before > 0 && 1 - left / before >= least).length)
  if (isNamed) {
    made.append(
      element('b', { textContent: image === undefined ? name : name.replace(/^.*\//, '') }),
      element('span', { textContent: `${bytesText(after)}, ${changeText(before, left)}` }),
    )
  }
  Object.assign(made.style, {
    left: `${tile.left * 100}%`,
    top: `${tile.top * 100}%`,
    width: `${tile.width * 100}%`,
    height: `${tile.height * 100}%`,
  })
  return made
}

function legend(): HTMLElement {
  const shades = SHADE_NAMES.map((textContent, shade) => {
    const made = element('li', { textContent })
    made.dataset['shade'] = String(shade)
    return made
  })
  return element(
    'div',
    { className: 'legend' },
    element('span', { textContent: 'Saved' }),
    element('ol', {}, ...shades),
  )
}
