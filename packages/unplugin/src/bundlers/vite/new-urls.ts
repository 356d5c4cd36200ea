import { PixpressError } from '@pixpress/core'
import type { Plugin, Rolldown } from 'vite'
import { toLiteral } from '../../modules/asset-module.ts'
import { withReference } from '../../modules/failure.ts'
import { finishReference, planReference } from '../../modules/reference.ts'
import { splitUrl } from '../../references/url.ts'
import { toDataUrl } from '../../session/encode/data-url.ts'
import type { Warn } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import { assetExpression } from './build-asset.ts'
import type { EmitContext } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import { sourceName } from './emitted-sources.ts'
import { buildConfig } from './project.ts'
import type { BuildContext, LocatedImage, ProjectHolder, ViteProject } from './project.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/**
 * `new URL('./a.png', import.meta.url)` with a literal, for which Vite reads the file without asking plugins. Templates
 * with substitutions need nothing here: Vite turns them into a glob of imports.
 */
export function newUrls(holder: ProjectHolder): Plugin[] {
  return [
    { ...newUrlsIn(holder, (id) => !COMPONENT.test(id)), name: 'pixpress:new-url', enforce: 'pre' },
    // The text of a component names the scope of its styles, which has to be the same on a server, where these URLs
    // stay as they are written.
    { ...newUrlsIn(holder, (id) => COMPONENT.test(id)), name: 'pixpress:component-new-url' },
  ]
}

/** Ids of components as they are written; the parts that compilers make of them have a query. */
const COMPONENT = /\.(?:vue|svelte|astro)$/

function newUrlsIn(holder: ProjectHolder, isOwn: (id: string) => boolean): Omit<Plugin, 'name'> {
  return {
    // The module is like Vite's own: on a server such a URL names a file.
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    transform: {
      filter: { id: { exclude: /^\0/ }, code: 'import.meta.url' },
      async handler(code, id, options) {
        // Before 6.3 Vite knows no filters, before 6 no environments.
        if (id.startsWith('\0') || !code.includes('import.meta.url') || !isOwn(id)) return null
        if ((this as BuildContext).environment === undefined && options?.ssr === true) return null
        const project = holder.current
        // Few modules of a project come this far.
        const { findNewUrls } = await import('../../references/new-url.ts')
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        const found = await Promise.all(
          findNewUrls(code).map(async (reference) => {
            const image = await project.locate(reference.url, splitUrl(id).path)
            return image === undefined ? undefined : { reference, expression: await urlOf(project, this, image) }
          }),
        )
        for (const each of found) {
          if (each === undefined) continue
          const { expressionStart, expressionEnd } = each.reference
          text.update(expressionStart, expressionEnd, `new URL(${await each.expression()}, '' + import.meta.url)`)
        }
        if (!text.hasChanged()) return null
        // A build without source maps would throw away one of every word, which Vite makes for such a build neither.
        const isMapped = project.isServed || buildConfig(project, this).build.sourcemap !== false
        return { code: text.toString(), map: isMapped ? text.generateMap({ hires: 'boundary', source: id }) : null }
      },
    },
  }
}

type TransformContext = EmitContext & Pick<Rolldown.TransformPluginContext, 'addWatchFile' | 'meta' | 'warn'>

/**
 * The image, done as far as it can be at the same time as others, and the expression of its URL, which is emitted in
 * order.
 */
async function urlOf(
  project: ViteProject,
  context: TransformContext,
  image: LocatedImage,
): Promise<() => Promise<string>> {
  const { session } = project
  const warn: Warn = (message) => context.warn(message)
  const { inline, original } = image.query
  if (project.isServed || context.meta.watchMode) {
    for (const file of await watchedFiles(session.files, image.file, image.query)) context.addWatchFile(file)
  }
  try {
    if (project.isServed && inline !== true) {
      const planned = original ? undefined : await planReference(session, image, 'content')
      const url = planned === undefined ? devOriginalUrl(project, image.file) : devUrl(project, planned)
      return () => Promise.resolve(`/* @vite-ignore */ ${toLiteral(url + image.hash)}`)
    }
    const finished = await finishReference(session, image, 'content', warn)
    if (finished === undefined) throw new PixpressError('INTERNAL', 'An image was located that is not to be worked on.')
    if (project.isServed) return () => Promise.resolve(toLiteral(toDataUrl(finished)))
    const rule = { asked: inline, isEntry: false, hash: image.hash }
    return () =>
      assetExpression(project, context, { image: finished, rule, sourceName: sourceName(project.config.root, image) })
  } catch (error) {
    throw withReference(error, relativePath(project.config.root, image.file), image.query.text)
  }
}
