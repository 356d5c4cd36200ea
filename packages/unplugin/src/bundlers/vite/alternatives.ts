import type { Plugin } from 'vite'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import type { Output } from '../../fallbacks/offer-alternatives.ts'
import { markOf, unmarked } from '../../fallbacks/marks.ts'
import { sparePictures } from '../../fallbacks/picture-selectors.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { finishReference } from '../../modules/reference.ts'
import { splitUrl } from '../../references/url.ts'
import type { Warn } from '../../session/plan/images.ts'
import { buildConfig } from './project.ts'
import type { LocatedImage, ProjectHolder, ViteProject } from './project.ts'

/**
 * Tells whether pages and stylesheets of a project offer images in several types: in builds, as that takes finished
 * images.
 */
export function offersOthers({ session, isServed }: ViteProject): boolean {
  return session.alternatives.isWanted && !isServed
}

/** The URL of an image in a stylesheet, with the mark of what will be offered beside it. */
export async function withMark(project: ViteProject, image: LocatedImage, url: string): Promise<string> {
  if (url.startsWith('data:') || splitUrl(url).hash !== '') return url
  const { session, warn } = project
  const own = await finishReference(session, image, 'beside', warn)
  return own === undefined ? url : url + (await markOf(session, own, warn))
}

/** Ids of modules that hold a stylesheet as something else. */
export const NOT_STYLESHEET: RegExp = /[?&](?:raw|url|worker|sharedworker|commonjs-proxy)\b/

/** Ids of stylesheets and of those in components and pages, as Vite tells them. */
const STYLESHEET = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/

/**
 * Has the project's rules on `picture` leave those alone that pages get around images: in what compilers have made of
 * each stylesheet, before Vite minifies it and names it by its content.
 */
export function pictureSelectors(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:picture-selectors',
    apply: 'build',
    transform: {
      filter: { id: { include: STYLESHEET, exclude: NOT_STYLESHEET }, code: /picture/i },
      handler(code, id) {
        const project = holder.current
        // Before 6.3 Vite knows no filters.
        if (!STYLESHEET.test(id) || NOT_STYLESHEET.test(id) || !offersOthers(project)) return null
        const changed = sparePictures(code, project.session.options.knowsWhere)
        // Builds make no source maps of stylesheets.
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/**
 * Pages and stylesheets that offer images in several types: what Vite has written is changed, so that no minifier sees
 * both.
 */
export function fallbacks(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:fallbacks',
    enforce: 'post',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config }) => config.consumer === 'client' && offersOthers(holder.current),
    generateBundle: {
      // Vite emits pages in a hook of this name.
      order: 'post',
      async handler(_options, bundle) {
        const project = holder.current
        const { session, config } = project
        // Vite 5 has the hook called in any case.
        if (!offersOthers(project) || buildConfig(project, this).build.ssr !== false) return
        const { base } = config
        const warn: Warn = (message) => this.warn(message)
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !/\.(?:css|html?)$/i.test(name)) continue
          const text = Buffer.from(file.source).toString('utf8')
          const plain = unmarked(text)
          if (plain !== text) file.source = plain
        }
        const output: Output = {
          base: base === './' ? '' : base,
          names: Object.keys(bundle).filter((name) => bundle[name]!.type === 'asset'),
          read(name) {
            const file = bundle[name]
            return file?.type === 'asset' ? Buffer.from(file.source) : undefined
          },
          write(name, text) {
            const file = bundle[name]
            if (file?.type === 'asset') file.source = text
          },
          emit: async (image) => {
            const name = await distinctName(session, image)
            return this.getFileName(this.emitFile({ type: 'asset', name, source: image.data }))
          },
        }
        await offerAlternatives(session, output, warn)
      },
    },
  }
}
