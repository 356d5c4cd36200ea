import path from 'node:path'
import { isOfOneImage } from '../../modules/failure.ts'
import { lighterUrl } from '../../modules/pictures-inside.ts'
import type { Plugin, ResolvedConfig } from 'vite'
import { createPostcssPlugin } from '../../references/postcss-urls.ts'
import type { StylesheetUrl } from '../../references/postcss-urls.ts'
import { findInStylesheet } from '../../references/css.ts'
import { isPictureUrl } from '../../references/data-url.ts'
import { useOf } from '../../references/types.ts'
import { mayNameFile, splitUrl } from '../../references/url.ts'
import { lenientParser, loadPostcssConfig } from './postcss-config.ts'
import { rewriteInLightningCss } from './lightning-css.ts'
import type { ProjectHolder, ViteProject } from './project.ts'
import { locateConverted } from './public-images.ts'
import { referenceUrl } from './reference-url.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/** Ids of modules that hold a stylesheet as something else. */
const NOT_STYLESHEET = /[?&](?:raw|url|worker|sharedworker|commonjs-proxy)\b/

/** Ids of `style` attributes of pages. */
const STYLE_ATTRIBUTE = /[?&]style-attr\b/

/** The holders of those that took the place of the plugins that made a PostCSS plugin. */
const successors = new WeakMap<object, ProjectHolder>()

/**
 * `url()` and `image-set()` of stylesheets, of `<style>` and of `style` attributes. A PostCSS plugin sees them all:
 * those of imported files and of Sass partials too, and after class names of CSS modules were made from the text.
 *
 * With Lightning CSS there is no PostCSS: see `rewriteInLightningCss`. Its visitors do not see `style` attributes,
 * whose text is rewritten before it is compiled.
 */
export function stylesheets(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:css',
    enforce: 'pre',
    async config({ css, root }) {
      const project = (): ViteProject => (holder.isResolved ? holder : (successors.get(plugin) ?? holder)).current
      const plugin = createPostcssPlugin(
        (url) => rewrite(project(), url),
        (url) => project().session.remote.takes(url),
      )
      if (typeof css?.postcss === 'object') return { css: { postcss: { plugins: [plugin] } } }
      // Vite does not look for the project's PostCSS configuration once it is given one.
      const folder = path.resolve(root ?? '.')
      const found = await loadPostcssConfig(css?.postcss === undefined ? folder : path.resolve(folder, css.postcss))
      const parser = found.plugins.length === 0 ? lenientParser(folder) : undefined
      return { css: { postcss: { ...(parser && { parser }), ...found.options, plugins: [...found.plugins, plugin] } } }
    },
    configResolved(config) {
      takePlaces(config, holder)
      rewriteInLightningCss(
        config,
        (url) => rewrite(holder.current, url),
        (url) => holder.current.session.remote.takes(url),
      )
    },
    transform: {
      filter: { id: { include: STYLE_ATTRIBUTE, exclude: NOT_STYLESHEET } },
      async handler(code, id) {
        const project = holder.current
        if (project.config.css.transformer !== 'lightningcss') return null
        // Before 6.3 Vite knows no filters.
        if (!STYLE_ATTRIBUTE.test(id) || NOT_STYLESHEET.test(id)) return null
        const importer = splitUrl(id).path
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        let pictures = 0
        await Promise.all(
          findInStylesheet(code, {
            takes: (url) => mayNameFile(url) || isPictureUrl(url) || project.session.remote.takes(url),
          }).map(async (reference) => {
            const addDependency = (file: string): void => this.addWatchFile(file)
            const url = await rewrite(project, {
              url: reference.url,
              ...(isPictureUrl(reference.url) && { place: ++pictures }),
              importer,
              use: useOf(reference),
              addDependency,
            }).catch((error: unknown) =>
              this.error(isOfOneImage(error) ? `${reference.url}: ${error.message}` : String(error)),
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

/**
 * Where environments share plugins (`builder.sharedPlugins`, as with TanStack Start), Vite asks new plugins for the
 * configuration of each and resolves it with the first ones instead: the new ones never learn of it.
 */
function takePlaces({ css }: ResolvedConfig, holder: ProjectHolder): void {
  if (typeof css.postcss !== 'object') return
  for (const plugin of css.postcss.plugins ?? []) if (!successors.has(plugin)) successors.set(plugin, holder)
}

async function rewrite(
  project: ViteProject,
  { url, importer, use, place: at, addDependency }: StylesheetUrl,
): Promise<string | undefined> {
  if (isPictureUrl(url)) {
    // A dev server has no need of smaller pictures.
    if (project.isServed || at === undefined) return undefined
    return lighterUrl(project.session, { url, file: splitUrl(importer).path, place: at }, project.warn)
  }
  const image =
    (await project.locate(url, importer)) ?? (use === 'content' ? await locateConverted(project, url) : undefined)
  if (image === undefined) return undefined
  for (const file of await watchedFiles(project.session.files, image.file, image.query)) addDependency(file)
  return referenceUrl(project, image, use, importer)
}
