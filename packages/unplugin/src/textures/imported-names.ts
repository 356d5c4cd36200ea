/**
 * Images that scripts import by their URL and use by a name: `import wall from '/wall.png'`, `export const wallImage =
 * wall` and, in another file, `<img src={wallImage} />`.
 */
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import { givenIn } from './other-readers.ts'
import type { Given } from './other-readers.ts'
import { ATTRIBUTES, LOADS, LONGEST_CALLEE } from './mentions.ts'

/** Describes how a file uses the names of imported images. */
export interface ImportedNames {
  /** The URL of each image that it imports, by the name that it gives it. */
  readonly images: ReadonlyMap<string, string>
  /** Its own constants that are another name for one: the other name, by the constant's. */
  readonly aliases: ReadonlyMap<string, string>
  /** The names that it imports from other files in braces. */
  readonly taken: ReadonlySet<string>
  /** The names that are the whole value of an attribute that shows an image. */
  readonly shown: ReadonlySet<string>
  /** The names that stand in calls of loaders of textures. */
  readonly loaded: ReadonlySet<string>
  /** The images and values that it gives to readers other than browsers. */
  readonly given: Given
  /** The functions and components that get an image, by its name. */
  readonly passed: ReadonlyMap<string, readonly string[]>
}

const IMAGE = new RegExp(
  String.raw`\b(?:import\s+([\w$]+)|export\s*\{\s*default\s+as\s+([\w$]+)\s*\})\s+from\s*(["'])([^"'\n]+?${EXTENSION_PATTERN})(?:\?[^"'\n]*)?\3`,
  'gi',
)
const ALIAS = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*([\w$]+)\s*(?:;|\n|$)/g
const TAKEN = /\bimport\s+(?:[\w$]+\s*,\s*)?\{([^{}]*)\}\s*from/g
/** In braces, as JSX, Svelte and Astro have it, or bound as in Vue. */
const SHOWN = new RegExp(
  `(?<=\\s)(?:${ATTRIBUTES}=\\{\\s*([\\w$]+)\\s*\\}|(?::|v-bind:)${ATTRIBUTES}="([\\w$]+)")`,
  'gi',
)
const CALLED_WITH = /\(([^()]*)/g

/** The function or component whose argument or attribute ends a text. */
const GETS = /([\w$]+)\s*\([^()]*$|<([A-Z][\w$]*)\s[^<>]*$/

/** Reads what a script or a page does with names of images. */
export function importedNames(text: string): ImportedNames {
  const images = new Map([...text.matchAll(IMAGE)].map(([, name, exported, , url]) => [(name ?? exported)!, url!]))
  return {
    images,
    aliases: new Map([...text.matchAll(ALIAS)].map(([, name, of]) => [name!, of!])),
    taken: new Set([...text.matchAll(TAKEN)].flatMap(([, names]) => names!.split(',').map((each) => each.trim()))),
    shown: new Set([...text.matchAll(SHOWN)].map(([, braced, bound]) => (braced ?? bound)!)),
    loaded: new Set(valuesLoaded(text).flatMap((values) => values.match(/[\w$]+/g) ?? [])),
    given: givenIn(text),
    passed: new Map([...images.keys()].map((name) => [name, passedTo(text, name)])),
  }
}

const valuesLoaded = (text: string): string[] =>
  [...text.matchAll(CALLED_WITH)]
    .filter(({ index }) => LOADS.test(text.slice(Math.max(0, index - LONGEST_CALLEE), index)))
    .map(([, values]) => values!)

const passedTo = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))].flatMap(({ index }) => {
    const [, called, component] = GETS.exec(text.slice(Math.max(0, index - 300), index)) ?? []
    return called ?? component ?? []
  })

/**
 * Returns the URLs of a file's imported images that it or another file shows and that no loader gets, by any of their
 * names.
 * @param files all files of the project
 */
export const shownImports = (file: ImportedNames, files: readonly ImportedNames[]): string[] =>
  importsWhere(file, files, (isIn) => isIn(({ shown }) => shown) && !isIn(({ loaded }) => loaded))

/**
 * Returns the URLs of a file's imported images that it or another file gives to readers other than browsers.
 * @param readers functions and components that do so with what they get
 */
export function givenImports(
  file: ImportedNames,
  files: readonly ImportedNames[],
  readers: ReadonlySet<string>,
): string[] {
  return importsWhere(
    file,
    files,
    (isIn, names, uses) =>
      uses.some(({ given }) => given.isReader) ||
      isIn(({ given }) => given.names) ||
      names.some((name) => file.passed.get(name)?.some((each) => readers.has(each))),
  )
}

type IsIn = (setOf: (file: ImportedNames) => ReadonlySet<string>) => boolean

function importsWhere(
  file: ImportedNames,
  files: readonly ImportedNames[],
  isWanted: (isIn: IsIn, names: readonly string[], uses: readonly ImportedNames[]) => boolean | undefined,
): string[] {
  return [...file.images].flatMap(([name, url]) => {
    const names = [name, ...[...file.aliases].filter(([, of]) => of === name).map(([alias]) => alias)]
    const uses = files.filter((each) => each === file || names.some((one) => each.taken.has(one)))
    const isIn: IsIn = (setOf) => uses.some((each) => names.some((one) => setOf(each).has(one)))
    return isWanted(isIn, names, uses) === true ? [url] : []
  })
}
