/**
 * Describes what a library makes of images that scripts load: `scene` draws them as textures, `map` reads tiles and
 * sprites.
 */
export type LibraryKind = 'scene' | 'map'

/** Packages by name; one that ends in `/` or `-` stands for all that begin so. */
const LIBRARIES: Readonly<Record<LibraryKind, readonly string[]>> = {
  scene: [
    'three', '@react-three/', '@threlte/', '@tresjs/', 'three-stdlib', 'troika-three-text', 'three-globe', 'globe.gl',
    'react-globe.gl', '3d-force-graph', 'aframe', '@babylonjs/', 'babylonjs', 'babylonjs-', 'playcanvas', '@playcanvas/',
    'ogl', 'regl', 'twgl.js', 'curtainsjs', 'cannon', 'cannon-es', 'pixi.js', '@pixi/', 'phaser', 'excalibur', 'kaboom',
    'kaplay', 'littlejsengine', 'melonjs', 'p5',
  ],
  map: ['maplibre-gl', 'mapbox-gl', 'cesium', '@cesium/', 'deck.gl', '@deck.gl/', 'ol'],
} // prettier-ignore

const BY_NAME = new Map(
  Object.entries(LIBRARIES).flatMap(([kind, names]) => names.map((name) => [name, kind as LibraryKind] as const)),
)
const BEGINNINGS = [...BY_NAME].filter(([name]) => /[/-]$/.test(name))

/** The kind of the library that a package is; `undefined` where it is none. */
export function libraryKind(name: string): LibraryKind | undefined {
  return BY_NAME.get(name) ?? BEGINNINGS.find(([beginning]) => name.startsWith(beginning))?.[1]
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g
const SCRIPT_ADDRESS = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi
const IMPORT_MAP = /<script\b[^>]*\bimportmap\b[^>]*>([\s\S]*?)<\/script>/gi
const KEY = /"([^"]+)"\s*:\s*"/g

const NAMES = [...BY_NAME.keys(), 'babylon', 'pixi'].map((name) => name.replaceAll(/[/-]$/g, '').replaceAll('.', '\\.'))
/** Holds what stands somewhere in every text that has one: most have none, and need no closer look. */
const SOME_NAME = new RegExp(`["'\`/](?:${NAMES.join('|')})`, 'i')

/** The kinds of the libraries that a script, or a page with scripts, imports or loads from elsewhere. */
export function librariesIn(text: string): readonly LibraryKind[] {
  if (!SOME_NAME.test(text)) return []
  const maps = [...text.matchAll(IMPORT_MAP)].map(([, map]) => map!).join('\n')
  const specifiers = [...text.matchAll(IMPORT), ...text.matchAll(SCRIPT_ADDRESS), ...maps.matchAll(KEY)]
  const kinds = specifiers.flatMap(([, specifier]) => packageNames(specifier!)).map(libraryKind)
  return [...new Set(kinds)].filter((kind) => kind !== undefined)
}

/** The packages that a specifier or an address of a script may stand for. */
function packageNames(specifier: string): string[] {
  if (specifier.startsWith('.')) return []
  const isAddress = /^(?:https?:)?\/|^https?:/.test(specifier)
  if (!isAddress) return [/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '']
  const versioned = /\/((?:@[\w.-]+\/)?[\w.-]+)@[^/]+(?:\/|$)/.exec(specifier)?.[1]
  const stem = /([^/]+?)(?:\.(?:module|min|esm|umd|core))*\.m?js(?:[?#].*)?$/i.exec(specifier)?.[1]?.toLowerCase()
  // Babylon's and PixiJS' own addresses shorten their names.
  const spelled = stem === 'babylon' ? 'babylonjs' : stem === 'pixi' ? 'pixi.js' : stem
  return [versioned, spelled].filter((name) => name !== undefined)
}
