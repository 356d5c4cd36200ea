import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { splitUrl } from '../../references/url.ts'
import { createFindImage } from '../../templates/image-expression.ts'
import { findJsxImages, replaceJsx } from '../../templates/jsx.ts'
import { nodeOf } from '../../templates/syntax.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import { findUnusedImports } from '../../templates/unused-imports.ts'
import type { ProjectHolder } from './project.ts'
import { isImageSpecifier, showsPictures } from './picture-notes.ts'
import { isPublicImage } from './public-pictures.ts'
import { importImages } from './template-imports.ts'

const COMPONENT = /\.[cm]?[jt]sx$/

/** The part of Babel that reads a module. Solid's plugin depends on it. */
interface Babel {
  parseSync(code: string, options: object): SyntaxNode | null
}

/** `<img>` of Solid's components, before its compiler makes templates of text out of them. */
export function solidTemplates(holder: ProjectHolder): Plugin {
  let babel: Babel | undefined
  return {
    name: 'pixpress:solid-templates',
    enforce: 'pre',
    apply: 'build',
    configResolved({ plugins, root }) {
      if (plugins.some(({ name }) => name === 'solid')) babel = babelOf(root)
    },
    transform: {
      order: 'pre',
      filter: { id: { include: COMPONENT, exclude: /\/node_modules\// }, code: '<img' },
      async handler(code, id) {
        if (babel === undefined || !COMPONENT.test(id) || id.includes('/node_modules/')) return null
        if (!code.includes('<img') || !showsPictures(holder)) return null
        const program = parsed(babel, code, id)
        if (program === undefined) return null
        const images = findJsxImages(
          program,
          createFindImage(program, {
            isImage: isImageSpecifier,
            isPublic: (url) => isPublicImage(holder.current, url),
          }),
        )
        if (images.length === 0) return null
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        const { path: file } = splitUrl(id)
        const { component, statements, shown } = importImages(holder.current, file, 'solid', images)
        for (const [index, image] of images.entries()) replaceJsx(text, image, component, shown[index]!)
        const sources = images.flatMap(({ specifier, source }) => (specifier === undefined ? [] : [source]))
        for (const { start, end } of findUnusedImports(program, sources, isImageSpecifier)) text.remove(start, end)
        text.append(`\n${statements.join('\n')}\n`)
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary', source: id }) }
      },
    },
  }
}

/** A module that cannot be read is left to Solid, which says why. */
function parsed({ parseSync }: Babel, code: string, filename: string): SyntaxNode | undefined {
  try {
    const file = parseSync(code, {
      filename,
      babelrc: false,
      configFile: false,
      parserOpts: { plugins: ['jsx', ...(filename.endsWith('tsx') ? ['typescript'] : [])] },
    })
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
