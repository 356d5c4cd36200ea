import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { createFindImage } from '../../templates/image-expression.ts'
import type { FindImage } from '../../templates/image-expression.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import { createVueTransform } from '../../templates/vue.ts'
import { splitUrl } from '../../references/url.ts'
import type { ProjectHolder } from './project.ts'
import { isImageSpecifier, noteImage, showsPictures } from './picture-notes.ts'
import { isPublicImage } from './public-pictures.ts'
import { SHOWN } from './picture-modules.ts'

const COMPONENT = /\.vue$/

/** The part of Vue's compiler that reads components, and of its plugin that sets it up. */
interface VueCompiler {
  parse(source: string): { descriptor: Record<'script' | 'scriptSetup', { readonly content: string } | null> }
  babelParse(code: string, options: object): { readonly program: SyntaxNode }
}
interface VuePluginApi {
  options: { template?: { compilerOptions?: { nodeTransforms?: unknown[] }; transformAssetUrls?: unknown } }
}

/** `<img>` of Vue's templates, by a transform of its own compiler. */
export function vueTemplates(holder: ProjectHolder): Plugin {
  const images = new Map<string, readonly FindImage[]>()
  let compiler: VueCompiler | undefined
  return {
    name: 'pixpress:vue-templates',
    enforce: 'pre',
    apply: 'build',
    configResolved(config) {
      const plugin = config.plugins.find(({ name }) => name === 'vite:vue')
      const api = plugin?.api as VuePluginApi | undefined
      if (api === undefined) return
      compiler = compilerOf(config)
      const { template = {} } = api.options
      const { compilerOptions = {} } = template
      const hasAssets = template.transformAssetUrls !== false
      const transform = createVueTransform({
        component: `${SHOWN}vue`,
        find: `${SHOWN}find`,
        // Where the site is not at the root, Vue makes an import of a URL from the root.
        isAsset: (text) =>
          (hasAssets && /^[.@]/.test(text) && isImageSpecifier(text)) ||
          (config.base === '/' && isPublicImage(holder.current, text)),
        imported: (file, name) =>
          images
            .get(file)
            ?.map((find) => find(identifier(name)))
            .find(Boolean),
        note: (file, index, image) => noteImage(holder.current, file, index, image),
      })
      const guarded: typeof transform = (node, context) => {
        if (showsPictures(holder)) transform(node, context)
      }
      const nodeTransforms = [...(compilerOptions.nodeTransforms ?? []), guarded]
      api.options = {
        ...api.options,
        template: { ...template, compilerOptions: { ...compilerOptions, nodeTransforms } },
      }
    },
    transform: {
      order: 'pre',
      filter: { id: COMPONENT, code: '<img' },
      handler(code, id) {
        if (compiler === undefined || !COMPONENT.test(id) || !showsPictures(holder)) return null
        images.set(splitUrl(id).path, importsOf(compiler, code))
        return null
      },
    },
  }
}

/** Finds what the scripts of a component import. One that cannot be read is left to Vue, which says why. */
function importsOf({ parse, babelParse }: VueCompiler, code: string): FindImage[] {
  try {
    const { script, scriptSetup } = parse(code).descriptor
    return [script, scriptSetup].flatMap((each) => {
      if (each === null) return []
      const { program } = babelParse(each.content, { sourceType: 'module', plugins: ['typescript', 'jsx'] })
      return [createFindImage(program, { isImage: isImageSpecifier })]
    })
  } catch {
    return []
  }
}

const identifier = (name: string): SyntaxNode => ({ type: 'Identifier', start: 0, end: 0, name })

/** The compiler of the project's own Vue. */
function compilerOf({ root }: ResolvedConfig): VueCompiler | undefined {
  try {
    return createRequire(path.join(root, 'package.json'))('vue/compiler-sfc') as VueCompiler
  } catch {
    return undefined
  }
}
