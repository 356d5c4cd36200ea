import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { Plugin } from 'vite'
import { createPostcssPlugin } from '../../core/postcss-urls.ts'
import type { StylesheetUrl } from '../../core/postcss-urls.ts'
import { findInStylesheet } from '../../core/reference/css.ts'
import type { StylesheetSyntax } from '../../core/reference/css-tokens.ts'
import { splitUrl } from '../../core/reference/url.ts'
import { useOf } from '../../core/reference/use.ts'
import { loadPostcssConfig } from './postcss-config.ts'
import type { ProjectHolder, ViteProject } from './project.ts'
import { referenceUrl } from './reference-url.ts'

/** Ids of stylesheets, those inside HTML and of single-file components included. */
const STYLESHEET = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/
const NOT_STYLESHEET = /[?&](?:raw|url|worker|sharedworker|commonjs-proxy)\b/

/**
 * `url()` and `image-set()` of stylesheets, of `<style>` and of `style` attributes. A PostCSS plugin sees them all:
 * those of imported files and of Sass partials too, and after class names of CSS modules were made from the text.
 *
 * With Lightning CSS there is no PostCSS. Then the text of each module is rewritten before it is compiled, which does not
 * reach the files that `@import` pulls in.
 */
export function stylesheets(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:css',
    enforce: 'pre',
    async config({ css, root }) {
      const plugin = createPostcssPlugin((url) => rewrite(holder.current, url))
      if (typeof css?.postcss === 'object') return { css: { postcss: { plugins: [plugin] } } }
      // Vite does not look for the project's PostCSS configuration once it is given one.
      const folder = path.resolve(root ?? '.')
      const found = await loadPostcssConfig(css?.postcss === undefined ? folder : path.resolve(folder, css.postcss))
      return { css: { postcss: { ...found.options, plugins: [...found.plugins, plugin] } } }
    },
    transform: {
      filter: { id: { include: STYLESHEET, exclude: NOT_STYLESHEET } },
      async handler(code, id) {
        const project = holder.current
        if (project.config.css.transformer !== 'lightningcss') return null
        const importer = splitUrl(id).path
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        await Promise.all(
          findInStylesheet(code, { syntax: syntaxOf(id) }).map(async (reference) => {
            const addDependency = (file: string): void => this.addWatchFile(file)
            const url = await rewrite(project, {
              url: reference.url,
              importer,
              use: useOf(reference),
              addDependency,
            }).catch((error: unknown) =>
              this.error(error instanceof PixpressError ? `${reference.url}: ${error.message}` : String(error)),
            )
            if (url !== undefined) text.update(reference.start, reference.end, reference.encode(url))
          }),
        )
        if (!text.hasChanged()) return null
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary', source: id }) }
      },
    },
  }
}

async function rewrite(
  project: ViteProject,
  { url, importer, use, addDependency }: StylesheetUrl,
): Promise<string | undefined> {
  const image = await project.locate(url, importer)
  if (image === undefined) return undefined
  addDependency(image.file)
  return referenceUrl(project, image, use, importer)
}

function syntaxOf(id: string): StylesheetSyntax {
  const extension = STYLESHEET.exec(id)?.[0].replace(/[.?]/g, '')
  switch (extension) {
    case 'scss':
    case 'sass':
    case 'less':
    case 'stylus':
      return extension
    case 'styl':
      return 'stylus'
    default:
      return 'css'
  }
}
