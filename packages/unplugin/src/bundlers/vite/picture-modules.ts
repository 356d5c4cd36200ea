import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { toLiteral } from '../../modules/asset-module.ts'
import { isOneUrl } from '../../modules/reference.ts'
import type { Session } from '../../session/session.ts'
import type { LocatedImage, ProjectHolder } from './project.ts'
import { isPublicImage } from './public-pictures.ts'
import { PICTURE_PARAMETER, TABLE_STAND_IN, pictureStandIn, showsPictures } from './picture-notes.ts'

/** The component that stands in for an `<img>`, by library. */
export const SHOWN = 'virtual:pixpress/shown/'

/** Stands before the URL of an image of the public folder, as Vite has no modules for those. */
export const PUBLIC = '\0pixpress-public:'

/** The module that notes what is shown for URLs of the public folder, which no module stands for. */
const TABLE = `${SHOWN}table`

const PARAMETER = new RegExp(String.raw`[?&]${PICTURE_PARAMETER}=([\da-f]{12})`)

/** An image of a template, as a component imports it. */
export interface KeyedImage {
  readonly key: string
  /** The id of the image itself. */
  readonly plain: string
}

/** Takes the key out of the id of an image; `undefined` for other ids. */
export function keyIn(id: string): KeyedImage | undefined {
  const [text, key] = PARAMETER.exec(id) ?? []
  if (text === undefined || key === undefined) return undefined
  const rest = id.replace(text, '')
  // The first of several parameters has the `?`.
  return { key, plain: text.startsWith('?') ? rest.replace('&', '?') : rest }
}

/** The modules that rewritten components import. */
export function pictureModules(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:picture-modules',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      order: 'pre',
      filter: { id: new RegExp(String.raw`^${SHOWN}|^/.*[?&]${PICTURE_PARAMETER}=`) },
      handler(source) {
        const found = keyIn(source)
        if (found !== undefined) {
          return isPublicImage(holder.current, found.plain) ? PUBLIC + source : null
        }
        if (!source.startsWith(SHOWN)) return null
        // Svelte compiles what has a name of its own.
        return source === `${SHOWN}svelte` ? path.join(packageFolder(), 'svelte', 'Shown.svelte') : `\0${source}`
      },
    },
    load: {
      order: 'pre',
      filter: { id: new RegExp(String.raw`^\0${SHOWN}|[?&]${PICTURE_PARAMETER}=`) },
      async handler(id) {
        if (id === `\0${TABLE}`) return { code: `${TABLE_STAND_IN}()\n`, moduleType: 'js', moduleSideEffects: true }
        if (id.startsWith(`\0${SHOWN}`)) return componentOf(id.slice(SHOWN.length + 1))
        const found = keyIn(id)
        if (found === undefined || !showsPictures(holder)) return null
        if (found.plain.startsWith(PUBLIC)) {
          return {
            code: `export default ${pictureStandIn(found.key)};\n`,
            moduleType: 'js',
            map: { mappings: '' },
            moduleSideEffects: false,
          }
        }
        const { session } = holder.current
        const image = await holder.current.locateId(found.plain)
        // A query may ask for more than one URL, which the author has a use for.
        const isOne = image !== undefined && (await isOneImage(session, image))
        const shown = isOne ? pictureStandIn(found.key) : `{ src }`
        const code = `${isOne ? '' : `import src from ${toLiteral(found.plain)};\n`}export default ${shown};\n`
        return { code, moduleType: 'js', map: { mappings: '' }, moduleSideEffects: false }
      },
    },
  }
}

async function isOneImage(session: Session, image: LocatedImage): Promise<boolean> {
  if (!image.query.hasDirectives) return true
  return isOneUrl(await session.planRequest(image.file, image.query, 'beside'))
}

/** Components of libraries whose elements are all made by one function, by library. */
const OF_ELEMENTS: Readonly<Record<string, string>> = {
  react: `import { createElement, forwardRef } from 'react'
const image = createImage(createElement)
export default /* @__PURE__ */ forwardRef((properties, ref) => image({ ...properties, ref }))
`,
  preact: `import { createElement } from 'preact'
export default /* @__PURE__ */ createImage(createElement)
`,
}

/** The text of a component, which imports its library as the project does. */
async function componentOf(library: string): Promise<string> {
  const folder = path.join(packageFolder(), 'dist', 'templates', 'shown')
  const table = `import ${toLiteral(TABLE)}\n`
  if (library === 'find')
    return `${table}export { find, find as default } from ${toLiteral(path.join(folder, 'find.js'))}\n`
  const code = OF_ELEMENTS[library]
  if (code === undefined) return readFile(path.join(folder, `${library}.js`), 'utf8')
  return `${table}import { createImage } from ${toLiteral(path.join(folder, 'element.js'))}\n${code}`
}

const packageFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve('unplugin-pixpress/package.json'))
