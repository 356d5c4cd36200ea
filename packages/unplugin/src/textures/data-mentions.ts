import type { Mention } from './reading.ts'

/** Keys of materials, scenes and sprite sheets; `map` stands alone or at the end of one in camel case. */
const TEXTURE_KEY = /texture|shader|uniform|material|atlas|sprite|tileset|skybox|lut|^map$|[a-z]Map$/

type Data = Readonly<Record<string, unknown>>

/**
 * The PNGs that a JSON file names, and as what: those of a web app's manifest are shown, those of a sheet, a tile map,
 * a font or a material are textures. Other data may mean anything by a name, so it says nothing.
 */
export function mentionsInData(text: string): Mention[] {
  const data = parsed(text)
  if (typeof data !== 'object' || data === null) return []
  const isSheet = isSheetData(data as Data)
  return stringsIn(data, [])
    .filter(({ value }) => /\.png(?:[?#]|$)/i.test(value))
    .flatMap(({ value, keys }): Mention[] => {
      if (isAppManifest(data as Data)) return [{ url: value, kind: 'shown' }]
      return isSheet || keys.some((key) => TEXTURE_KEY.test(key)) ? [{ url: value, kind: 'sheet' }] : []
    })
}

/**
 * Tells whether JSON describes the pixels of an image that need not be named in it: frames of a sheet, or sprites of a
 * map's style.
 */
export function describesSheet(text: string): boolean {
  const data = parsed(text)
  if (typeof data !== 'object' || data === null) return false
  const places = Object.values(data)
  return isSheetData(data as Data) || (places.length > 0 && places.every(isPlace))
}

const isPlace = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ['x', 'y', 'width', 'height'].every((key) => key in value)

function isAppManifest(data: Data): boolean {
  return Array.isArray(data.icons) && ('name' in data || 'short_name' in data || 'start_url' in data)
}

function isSheetData(data: Data): boolean {
  // TexturePacker and PixiJS, Tiled, fonts of distance fields, Phaser's packs, glTF in JSON.
  if ('frames' in data && ('meta' in data || 'animations' in data)) return true
  if ('tilesets' in data || 'tilewidth' in data || 'tileWidth' in data) return true
  if ('pages' in data && ('chars' in data || 'distanceField' in data)) return true
  return 'asset' in data && 'images' in data && 'meshes' in data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function stringsIn(value: unknown, keys: readonly string[]): { value: string; keys: readonly string[] }[] {
  if (typeof value === 'string') return [{ value, keys }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, [...keys, key]))
}
