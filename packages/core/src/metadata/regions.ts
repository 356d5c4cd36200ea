import { scanXml } from './xml-scan.ts'

/** Shares of the width and the height, 0 to 1, from the left and the top, of a picture as it is seen. */
type Point = readonly [x: number, y: number]

/** The points that the regions of an image's XMP are about. */
export interface RegionPoints {
  /** The middle of the region that the camera or a person marked as the focus; else that of the faces. */
  readonly focus?: Point
  /** The middle of all faces. */
  readonly face?: Point
}

interface Region {
  type: string
  x: number
  y: number
  width: number
  height: number
}

const BEGIN = '<rdf:RDF'
const END = '</rdf:RDF>'

/** Bytes of a packet that are looked at: longer ones carry thumbnails or edit histories. */
const LONGEST = 1 << 20

/**
 * Reads the regions of an image's XMP (Metadata Working Group, Guidelines for Handling Image Metadata 2.0, section 5.9:
 * `mwg-rs`). The packet is looked for in the bytes, as XMP allows for readers that do not know the format; a compressed
 * one is not found.
 * @param orientation of EXIF, 1 to 8: regions are told of the picture as it is stored
 */
export function readRegions(data: Uint8Array, orientation: number): RegionPoints {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const begin = bytes.indexOf(BEGIN)
  const end = begin < 0 ? -1 : bytes.indexOf(END, begin)
  if (end < 0 || end - begin > LONGEST) return {}
  const regions = regionsOf(bytes.toString('utf8', begin, end + END.length))
  const faces = regions.filter(({ type }) => type === 'face')
  const face = faces.length === 0 ? undefined : upright(middleOf(faces), orientation)
  const marked = regions.filter(({ type }) => type === 'focus')
  const focus = marked.length === 0 ? face : upright(middleOf(marked), orientation)
  return { ...(focus !== undefined && { focus }), ...(face !== undefined && { face }) }
}

/**
 * Names are told apart by what stands behind the colon: `Area` and `Type` come up nowhere else in these packets'
 * regions.
 */
function regionsOf(packet: string): readonly Region[] {
  const regions: Region[] = []
  const path: string[] = []
  let fields: Record<string, string> = {}
  for (const token of scanXml(packet)) {
    if (token.kind === 'text') {
      const field = path.at(-1)
      if (field !== undefined && token.text.trim() !== '') fields[field] = token.text.trim()
      continue
    }
    if (token.kind === 'close') {
      if (path.pop() === 'li') {
        const region = regionOf(fields)
        if (region !== undefined) regions.push(region)
      }
      continue
    }
    const name = localName(token.name)
    if (name === 'li') fields = {}
    for (const [key, value] of token.attributes) fields[localName(key)] = value
    if (!token.empty) path.push(name)
    else if (name === 'li') {
      const region = regionOf(fields)
      if (region !== undefined) regions.push(region)
    }
  }
  return regions
}

function regionOf({
  Type: type = '',
  x = '',
  y = '',
  w = '0',
  h = '0',
  unit,
}: Record<string, string>): Region | undefined {
  if (x === '' || y === '' || (unit !== undefined && unit !== 'normalized')) return undefined
  const region = { type: type.toLowerCase(), x: Number(x), y: Number(y), width: Number(w), height: Number(h) }
  return isShare(region.x) && isShare(region.y) && isShare(region.width) && isShare(region.height) ? region : undefined
}

const isShare = (value: number): boolean => value >= 0 && value <= 1

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the middle of the box around regions, whose `x` and `y` are their own middles. */
function middleOf(regions: readonly Region[]): Point {
  const middle = (of: (region: Region) => readonly [centre: number, length: number]): number => {
    const ends = regions.flatMap((region) => {
      const [centre, length] = of(region)
      return [centre - length / 2, centre + length / 2]
    })
    return Math.min(1, Math.max(0, (Math.min(...ends) + Math.max(...ends)) / 2))
  }
  return [middle(({ x, width }) => [x, width]), middle(({ y, height }) => [y, height])]
}

/** Turns a point of the stored picture into one of the picture as it is seen (Exif 2.32 section 4.6.4). */
function upright([x, y]: Point, orientation: number): Point {
  switch (orientation) {
    case 2:
      return [1 - x, y]
    case 3:
      return [1 - x, 1 - y]
    case 4:
      return [x, 1 - y]
    case 5:
      return [y, x]
    case 6:
      return [1 - y, x]
    case 7:
      return [1 - y, 1 - x]
    case 8:
      return [y, 1 - x]
    default:
      return [x, y]
  }
}
