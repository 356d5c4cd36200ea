import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { isAtLeast } from '../adapter/required-version.ts'
import { splitUrl } from '../../references/url.ts'
import { createFindImage } from '../../templates/image-expression.ts'
import { findSvelteImages, wrapSvelte } from '../../templates/svelte.ts'
import { nodeOf, nodesOf } from '../../templates/syntax.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import type { ProjectHolder } from './project.ts'
import { isImageSpecifier, showsPictures } from './picture-notes.ts'
import { isPublicImage } from './public-pictures.ts'
import { importImages } from './template-imports.ts'

const COMPONENT = /\.svelte$/

/** The part of Svelte's compiler that reads components. */
interface SvelteCompiler {
  readonly VERSION: string
  parse(source: string, options: { modern: true; filename: string }): SyntaxNode
}

/** `<img>` of Svelte's components, as its own parser reads them, before anything is compiled. */
export function svelteTemplates(holder: ProjectHolder): Plugin {
  let compiler: SvelteCompiler | undefined
  return {
    name: 'pixpress:svelte-templates',
    enforce: 'pre',
    apply: 'build',
    transform: {
      order: 'pre',
      filter: { id: COMPONENT, code: '<img' },
      async handler(code, id) {
        if (!COMPONENT.test(id) || !code.includes('<img') || !showsPictures(holder)) return null
        const project = holder.current
        compiler ??= compilerOf(project.config.root)
        const root = parsed(compiler, code, id)
        if (root === undefined) return null
        // Its template can name all that both scripts of a component import.
        const scripts = ['instance', 'module'].flatMap((name) => nodesOf(nodeOf(nodeOf(root, name), 'content'), 'body'))
        const program: SyntaxNode = {
          type: 'Program',
          start: 0,
          end: code.length,
          body: scripts,
          template: root['fragment'],
        }
        const images = findSvelteImages(
          root,
          createFindImage(program, {
            isImage: isImageSpecifier,
            isPublic: (url) => isPublicImage(project, url),
          }),
        )
        if (images.length === 0) return null
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        const { path: file } = splitUrl(id)
        const { component, statements, shown } = importImages(project, file, 'svelte', images)
        for (const [index, image] of images.entries()) wrapSvelte(text, image, component, shown[index]!)
        const content = nodeOf(nodeOf(root, 'instance'), 'content')
        if (content === undefined) text.prepend(`<script>${statements.join('')}</script>\n`)
        else text.appendLeft(content.start, statements.join(''))
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary', source: id }) }
      },
    },
  }
}

/** Styles may be in another language, and are not read here. */
const STYLES = /(<style\b[^>]*>)([^]*?)(<\/style\s*>)/g

/** A component that cannot be read is left to Svelte, which says why. */
function parsed(compiler: SvelteCompiler | undefined, code: string, filename: string): SyntaxNode | undefined {
  const blank = code.replace(
    STYLES,
    (_, open: string, css: string, close: string) => open + ' '.repeat(css.length) + close,
  )
  try {
    return compiler?.parse(blank, { modern: true, filename })
  } catch {
    return undefined
  }
}

/** The compiler of the project's own Svelte; `undefined` before 5, whose components have other parts. */
function compilerOf(root: string): SvelteCompiler | undefined {
  try {
    const compiler = createRequire(path.join(root, 'package.json'))('svelte/compiler') as SvelteCompiler
    return isAtLeast(compiler.VERSION, '5') ? compiler : undefined
  } catch {
    return undefined
  }
}
