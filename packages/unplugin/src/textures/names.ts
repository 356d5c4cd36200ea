import path from 'node:path'

/** Words in the names of textures that hold data instead of colours, wherever they lie. */
const MAPS =
  /(?:^|[-_. ])(?:normals?|nrm|nor|roughness|rough|metallic|metalness|height|displacement|disp|bump|ao|occlusion|orm|arm|lut)(?:[-_. ]?(?:map|gl|dx|\d+k?))*$/i

/** The same of folders that are copied as they are; elsewhere imports of such names are pictures as often. */
const COPIED_MAPS =
  /(?:^|[-_. ])(?:(?:alpha|bump|cube|data|depth|displacement|emissive|env|flow|gloss|height|light|metal(?:lic|ness)?|normal|noise|opacity|rough(?:ness)?|spec(?:ular)?|splat|weight)[-_. ]?map|specular|glossiness|opacity|mask|matcap|sdf|msdf|lut\d*|sprite[-_. ]?sheet|sprites?[-_. ]?atlas|(?:texture[-_. ]?)?atlas|tile[-_. ]?(?:set|map|sheet))(?:[-_. ]?(?:gl|dx|@?\d+[kx]?))*$/i

/** Names that browsers and other readers ask for by themselves, so that no page has to name them. */
const ASKED_FOR =
  /^(?:favicon|apple-touch-icon|android-chrome|mstile|(?:(?:pwa|app|maskable|web-app-manifest)[-_])?icon[-_]?(?:maskable[-_]?)?\d{2,}(?:x\d+)?|(?:pwa|maskable|web-app-manifest)[-_]\d{2,}(?:x\d+)?|safari-pinned-tab|og|og[-_]?image|opengraph[-_]?image|twitter[-_]?image|social[-_]?(?:card|image))(?:[-_.].*)?$/i

/** Tiles of a map: `…/zoom/column/row.png`. */
const TILE = /[\\/]\d{1,2}[\\/]\d+[\\/]\d+(?:@\dx)?\.png$/i

const stemOf = (file: string): string => path.basename(file, path.extname(file))

/** @param isCopied whether nothing but a URL refers to the file */
export function isNamedLikeMap(file: string, isCopied: boolean): boolean {
  const stem = stemOf(file)
  return MAPS.test(stem) || (isCopied && COPIED_MAPS.test(stem))
}

/** Returns `true` for a name that browsers or other readers request by themselves, for example `favicon.png`. */
export const isAskedForByName = (file: string): boolean => ASKED_FOR.test(stemOf(file))

/** Returns `true` for a path like that of a map's tile: `…/zoom/column/row.png`. */
export const isNamedLikeTile = (file: string): boolean => TILE.test(file)
