import { createRequire } from 'node:module'
import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { MagicString } from 'magic-string'
import type { Plugin, Rolldown } from 'vite'
import { isAtLeast } from '../adapter/required-version.ts'
import { splitUrl } from '../../references/url.ts'
import { convertsAny } from '../../session/plan/image-operations.ts'
import { findCompiledSources, findJsxSources, findSvelteSources } from '../../templates/image-sources.ts'
import type { ImageSource } from '../../templates/image-sources.ts'
import { nodeOf, nodesOf } from '../../templates/syntax.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import { createVueTransform } from '../../templates/vue.ts'
import type { EmitContext } from './build-asset.ts'
import { buildConfig } from './project.ts'
import type { ProjectHolder } from './project.ts'
import { openPublicUrls } from './public-images.ts'
import type { PublicUrls } from './public-images.ts'

/**
 * `<img src>` of components that names an image of the public folder, as it is written or by a URL that comes with data
 * of the build: where `convert` has a smaller format, the value becomes the URL of the converted copy. Nothing else of
 * the element changes, and it is the same on a server and in a browser.
 *
 * A module that names such images fills a table with them, so that each chunk brings what its data needs, and `src` is
 * looked up there. Any other URL passes unchanged.
 */
export function lookedUpUrls(holder: ProjectHolder): Plugin[] {
  let urls: PublicUrls | undefined
  let babel: Babel | undefined
  let svelte: SvelteCompiler | undefined

  const mapped = (context: TransformContext, text: MagicString, source: string) => {
    const isMapped = buildConfig(holder.current, context).build.sourcemap !== false
    return { code: text.toString(), map: isMapped ? text.generateMap({ hires: 'boundary', source }) : null }
  }

  return [
    {
      name: 'pixpress:looked-up',
      enforce: 'pre',
      apply: 'build',
      configResolved(config) {
        if (config.plugins.some(({ name }) => name === 'solid')) babel = babelOf(config.root)
        svelte = svelteOf(config.root)
        const api = config.plugins.find(({ name }) => name === 'vite:vue')?.api as VuePluginApi | undefined
        if (api === undefined) return
        const { template = {} } = api.options
        const { compilerOptions = {} } = template
        const transform = createVueTransform(MODULE)
        const guarded: typeof transform = (node, context) => {
          if (urls !== undefined) transform(node, context)
        }
        const nodeTransforms = [...(compilerOptions.nodeTransforms ?? []), guarded]
        api.options = {
          ...api.options,
          template: { ...template, compilerOptions: { ...compilerOptions, nodeTransforms } },
        }
      },
      async buildStart() {
        const project = holder.current
        const converts = convertsAny(project.session.options)
        urls = converts && project.config.build.lib === false ? await openPublicUrls(project) : undefined
      },
      resolveId: {
        order: 'pre',
        filter: { id: new RegExp(`^${MODULE}$`) },
        handler: (source) => (source === MODULE ? `\0${MODULE}` : null),
      },
      load: {
        order: 'pre',
        filter: { id: new RegExp(`^\\0${MODULE}$`) },
        handler: (id) => (id === `\0${MODULE}` ? { code: RUNTIME, moduleType: 'js' } : null),
      },
      transform: {
        order: 'pre',
        filter: { id: { include: COMPONENT, exclude: FOREIGN }, code: '<img' },
        async handler(code, id) {
          // Before 6.3 Vite knows no filters.
          if (urls === undefined || !COMPONENT.test(id) || FOREIGN.test(id) || !code.includes('<img')) return null
          const isSvelte = id.endsWith('.svelte')
          const root = isSvelte ? svelteTree(svelte, code, id) : babelTree(babel, code, id)
          if (root === undefined) return null
          const text = await lookingUp(
            code,
            isSvelte ? findSvelteSources(root, urls.has) : findJsxSources(root, urls.has),
          )
          if (text === undefined) return null
          const content = nodeOf(nodeOf(root, 'instance'), 'content')
          if (!isSvelte) text.append(IMPORT)
          else if (content === undefined) text.prepend(`<script>${IMPORT}</script>\n`)
          else text.appendLeft(content.start, IMPORT)
          return mapped(this, text, id)
        },
      },
    },
    {
      name: 'pixpress:looked-up-scripts',
      // Rewritten components name what they show, so that only strings of data are left.
      enforce: 'post',
      apply: 'build',
      transform: {
        filter: { id: { exclude: FOREIGN }, code: new RegExp(`${HAS_IMAGE.source}|${END.source}`, 'i') },
        async handler(code, id) {
          if (urls === undefined || FOREIGN.test(id) || NOT_SCRIPT.test(id)) return null
          // Components whose templates were rewritten have elements that look their source up.
          const isElement = HAS_IMAGE.test(code) && !code.includes(FUNCTION)
          const program = isElement || DIRECTIVE.test(code) ? (this.parse(code) as unknown as SyntaxNode) : undefined
          const sources = isElement ? findCompiledSources(program!, urls.has) : []
          const [lookUp, rows] = [await lookingUp(code, sources), await tableOf(this, urls, code)]
          if (lookUp === undefined && rows === undefined) return null
          const { MagicString } = await import('magic-string')
          const text = lookUp ?? new MagicString(code)
          if (lookUp !== undefined) text.append(IMPORT)
          if (rows !== undefined) {
            const at = endOfDirectives(program)
            text.appendLeft(at, `${at === 0 ? '' : ';'}${ADD}(${rows});`)
            text.append(`\nimport { add as ${ADD} } from '${MODULE}';\n`)
          }
          return mapped(this, text, id)
        },
      },
    },
  ]
}

type TransformContext = EmitContext & Pick<Rolldown.TransformPluginContext, 'warn'>

/** Puts the function around each source; `undefined` where there is none. */
async function lookingUp(code: string, sources: readonly ImageSource[]): Promise<MagicString | undefined> {
  if (sources.length === 0) return undefined
  const { MagicString } = await import('magic-string')
  const text = new MagicString(code)
  for (const { start, end, around: [before, after] = ['', ''], quote = '', nameAt } of sources) {
    if (nameAt !== undefined) text.appendLeft(nameAt, 'src=')
    text.appendLeft(start, `${before}${FUNCTION}(${quote}`).appendRight(end, `${quote})${after}`)
  }
  return text
}

/** The module of the table. */
const MODULE = 'virtual:pixpress/urls'
/** Names in rewritten modules. */
const [FUNCTION, ADD] = ['__pixpress_url', '__pixpress_add']
const IMPORT = `\nimport { url as ${FUNCTION} } from '${MODULE}';\n`

const RUNTIME = `const urls = new Map()
export const add = (rows) => { for (const url in rows) urls.set(url, rows[url]) }
export const url = (value) => urls.get(value) ?? value
export default url
`

const COMPONENT = /\.(?:svelte|[cm]?[jt]sx)$/
const FOREIGN = /^\0|\/node_modules\//
/** Stylesheets are scripts only once Vite has made them such. */
const NOT_SCRIPT = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)|\.html$/
const HAS_IMAGE = /["'`]img["'`]|_components\.img/
const DIRECTIVE = /["']use \w/

/** The end of a string, of JSON in a script too, that ends with the name of an image. */
const END = new RegExp(String.raw`${EXTENSION_PATTERN}(?=\\?["'${'`'}])`, 'gi')

/** Characters that no string and no part of a template literal holds. */
const BEGIN = /["'`{}<>\\\n]/

/** Characters of a URL that are looked at. */
const LONGEST = 512

/** The text before the string of an import. */
const IMPORTING = /(?:\bfrom|\bimport|\bimport\()\s*["'`]?$/

/** The strings of a script that end with the name of an image, those of imports left out. */
export function namesIn(code: string): string[] {
  const names = new Set<string>()
  for (const { index, 0: extension } of code.matchAll(END)) {
    const end = index + extension.length
    let start = index
    while (start > 0 && end - start < LONGEST && !BEGIN.test(code[start - 1]!)) start--
    if (start < index && !IMPORTING.test(code.slice(Math.max(0, start - 12), start))) names.add(code.slice(start, end))
  }
  return [...names]
}

/**
 * Bytes that a converted copy has to save for its line in a table. A line takes about 24 in a compressed script, which
 * is 2 % of this. The image alone decides, so that a server and a browser look up the same.
 */
const LEAST_SAVED = 1200

/** Returns the table of the images that a script names, as JavaScript: URLs of converted copies by those of images. */
async function tableOf(context: TransformContext, urls: PublicUrls, code: string): Promise<string | undefined> {
  const named = [...new Set(namesIn(code).flatMap((name) => urls.namedBy(name)))].sort()
  const found = await Promise.all(named.map(async (url) => ({ url, made: await urls.converted(url, context) })))
  const lines: string[] = []
  // One after the other, so that equal names are told apart in the same order in every build.
  for (const { url, made } of found) {
    if (made === undefined || made.saved < LEAST_SAVED) continue
    const expression = await made.emit()
    for (const each of new Set([url, encodeURI(url)])) lines.push(`${JSON.stringify(each)}:${expression}`)
  }
  return lines.length === 0 ? undefined : `{${lines.join()}}`
}

/** The offset behind `'use client'` and its kin, which have to stay first. */
function endOfDirectives(program: SyntaxNode | undefined): number {
  return nodesOf(program, 'body').findLast((each) => typeof each['directive'] === 'string')?.end ?? 0
}

interface VuePluginApi {
  options: { template?: { compilerOptions?: { nodeTransforms?: unknown[] } } }
}

/** The part of Babel that reads a module. Solid's plugin depends on it. */
interface Babel {
  parseSync(code: string, options: object): SyntaxNode | null
}

/** A module that cannot be read is left to its compiler, which says why. */
function babelTree(babel: Babel | undefined, code: string, filename: string): SyntaxNode | undefined {
  const plugins = ['jsx', ...(filename.endsWith('tsx') ? ['typescript'] : [])]
  try {
    const file = babel?.parseSync(code, { filename, babelrc: false, configFile: false, parserOpts: { plugins } })
    return nodeOf(file ?? undefined, 'program')
  } catch {
    return undefined
  }
}

function babelOf(root: string): Babel | undefined {
  try {
    const plugin = createRequire(path.join(root, 'package.json')).resolve('vite-plugin-solid')
    return createRequire(plugin)('@babel/core') as Babel
  } catch {
    return undefined
  }
}

/** The part of Svelte's compiler that reads components. */
interface SvelteCompiler {
  readonly VERSION: string
  parse(source: string, options: { modern: true; filename: string }): SyntaxNode
}

/** Styles may be in another language, and are not read here. */
const STYLES = /(<style\b[^>]*>)([^]*?)(<\/style\s*>)/g
const SCRIPTS = /(<script\b[^>]*>)([^]*?)(<\/script\s*>)/g

/** A component that cannot be read is left to Svelte, which says why. */
function svelteTree(compiler: SvelteCompiler | undefined, code: string, id: string): SyntaxNode | undefined {
  if (compiler === undefined) return undefined
  const parse = (text: string): SyntaxNode | undefined => {
    try {
      return compiler.parse(text, { modern: true, filename: splitUrl(id).path })
    } catch {
      return undefined
    }
  }
  const markup = blank(code, STYLES)
  // Before 5 Svelte reads no TypeScript.
  return parse(markup) ?? (isAtLeast(compiler.VERSION, '5') ? undefined : parse(blank(markup, SCRIPTS)))
}

const blank = (code: string, elements: RegExp): string =>
  code.replace(elements, (_, open: string, text: string, close: string) => open + ' '.repeat(text.length) + close)

/** The compiler of the project's own Svelte. */
function svelteOf(root: string): SvelteCompiler | undefined {
  try {
    return createRequire(path.join(root, 'package.json'))('svelte/compiler') as SvelteCompiler
  } catch {
    return undefined
  }
}
