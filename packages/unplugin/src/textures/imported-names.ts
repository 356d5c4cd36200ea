/**
 * PNGs that scripts import by their URL and show by a name: `import wall from '/wall.png'`, `export const wallImage =
 * wall` and, in another file, `<img src={wallImage} />`.
 */
import { ATTRIBUTES, LOADS, LONGEST_CALLEE } from './mentions.ts'

/** Describes how a file uses the names of imported PNGs. */
export interface ImportedNames {
  /** The URL of each PNG that it imports, by the name that it gives it. */
  readonly images: ReadonlyMap<string, string>
  /** Its own constants that are another name for one: the other name, by the constant's. */
  readonly aliases: ReadonlyMap<string, string>
  /** The names that it imports from other files in braces. */
  readonly taken: ReadonlySet<string>
  /** The names that are the whole value of an attribute that shows an image. */
  readonly shown: ReadonlySet<string>
  /** The names that stand in calls of loaders of textures. */
  readonly loaded: ReadonlySet<string>
}

const IMAGE = /\bimport\s+([\w$]+)\s+from\s*(["'])([^"'\n]+?\.png)(?:\?[^"'\n]*)?\2/gi
const ALIAS = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*([\w$]+)\s*(?:;|\n|$)/g
const TAKEN = /\bimport\s+(?:[\w$]+\s*,\s*)?\{([^{}]*)\}\s*from/g
/** In braces, as JSX, Svelte and Astro have it, or bound as in Vue. */
const SHOWN = new RegExp(
  `(?<=\\s)(?:${ATTRIBUTES}=\\{\\s*([\\w$]+)\\s*\\}|(?::|v-bind:)${ATTRIBUTES}="([\\w$]+)")`,
  'gi',
)
const CALLED_WITH = /\(([^()]*)/g

const NOTHING: ImportedNames = {
  images: new Map(),
  aliases: new Map(),
  taken: new Set(),
  shown: new Set(),
  loaded: new Set(),
}

/** Reads what a script or a page does with names of PNGs. */
export function importedNames(text: string): ImportedNames {
  if (!/\bimport\b/.test(text)) return NOTHING
  return {
    images: new Map([...text.matchAll(IMAGE)].map(([, name, , url]) => [name!, url!])),
    aliases: new Map([...text.matchAll(ALIAS)].map(([, name, of]) => [name!, of!])),
    taken: new Set([...text.matchAll(TAKEN)].flatMap(([, names]) => names!.split(',').map((each) => each.trim()))),
    shown: new Set([...text.matchAll(SHOWN)].map(([, braced, bound]) => (braced ?? bound)!)),
    loaded: new Set(valuesLoaded(text).flatMap((values) => values.match(/[\w$]+/g) ?? [])),
  }
}

const valuesLoaded = (text: string): string[] =>
  [...text.matchAll(CALLED_WITH)]
    .filter(({ index }) => LOADS.test(text.slice(Math.max(0, index - LONGEST_CALLEE), index)))
    .map(([, values]) => values!)

/**
 * Returns the URLs of a file's imported PNGs that it or another file shows and that no loader gets, by any of their
 * names.
 * @param files all files of the project
 */
export function shownImports(file: ImportedNames, files: readonly ImportedNames[]): string[] {
  return [...file.images].flatMap(([name, url]) => {
    const names = [name, ...[...file.aliases].filter(([, of]) => of === name).map(([alias]) => alias)]
    const uses = files.filter((each) => each === file || names.some((one) => each.taken.has(one)))
    const isIn = (which: 'shown' | 'loaded'): boolean => uses.some((each) => names.some((one) => each[which].has(one)))
    return isIn('shown') && !isIn('loaded') ? [url] : []
  })
}
