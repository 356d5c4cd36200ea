import type { Plugin } from 'vite'
import { findCompiledImages, replaceCompiled } from '../../templates/compiled-jsx.ts'
import { createFindImage } from '../../templates/image-expression.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import { findUnusedImports } from '../../templates/unused-imports.ts'
import { splitUrl } from '../../references/url.ts'
import { buildConfig } from './project.ts'
import type { ProjectHolder } from './project.ts'
import { isImageSpecifier, noteImage, showsPictures } from './picture-notes.ts'
import { isPublicImage } from './public-pictures.ts'
import { SHOWN } from './picture-modules.ts'

const FOREIGN = /^\0|\/node_modules\//
const HAS_IMAGE = /["'`]img["'`]/

/** `<img>` of components in JSX, once it is compiled: React's and Preact's, MDX included. */
export function compiledTemplates(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:templates',
    enforce: 'post',
    apply: 'build',
    transform: {
      filter: { id: { exclude: FOREIGN }, code: HAS_IMAGE },
      async handler(code, id) {
        if (FOREIGN.test(id) || !HAS_IMAGE.test(code) || !showsPictures(holder)) return null
        const project = holder.current
        const program = this.parse(code) as unknown as SyntaxNode
        const replaced = (argument: SyntaxNode): string | undefined =>
          project.newUrls.get(code.slice(argument.start, argument.end))
        const isPublic = (url: string): boolean => isPublicImage(project, url)
        const images = findCompiledImages(
          program,
          createFindImage(program, { isImage: isImageSpecifier, isPublic, replaced }),
        )
        if (images.length === 0) return null
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        const { path: file } = splitUrl(id)
        const component = '__pixpress_image'
        const imports = [`import ${component} from ${JSON.stringify(SHOWN + images[0]!.library)};`]
        for (const [index, image] of images.entries()) {
          const { isShown, shown } = noteImage(project, file, index, image)
          const binding = shown && `__pixpress_shown_${index}`
          if (shown !== undefined) imports.push(`import ${binding} from ${JSON.stringify(shown)};`)
          replaceCompiled(text, image, component, { isShown, binding })
        }
        const sources = images.flatMap(({ specifier, source }) => (specifier === undefined ? [] : [source]))
        for (const { start, end } of findUnusedImports(program, sources, isImageSpecifier)) text.remove(start, end)
        text.append(`\n${imports.join('\n')}\n`)
        const isMapped = buildConfig(project, this).build.sourcemap !== false
        return { code: text.toString(), map: isMapped ? text.generateMap({ hires: 'boundary', source: id }) : null }
      },
    },
  }
}
