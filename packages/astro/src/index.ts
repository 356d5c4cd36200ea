import './same-release.ts'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { operationsOf } from '@pixpress/core/internal'
import { addEndpoint, convertPages, openSession, targetsIn } from 'unplugin-pixpress/internal'
import pixpressVite from 'unplugin-pixpress/vite'
import type { Options } from 'unplugin-pixpress/vite'
import type { Integration, VitePlugin } from './astro-types.ts'
import { DEFAULT_SERVICES, hold, staticImages } from './held-project.ts'
import { asItIs, compressOriginals, originals } from './originals.ts'

/**
 * pixpress for Astro 5 and later. `<Image>`, `<Picture>`, `getImage()`, Markdown images and those of content
 * collections are made by pixpress instead of Astro's own service; images of stylesheets, of `public/` and imports with
 * a query by its plugin for Vite.
 * @param options those of the plugin: https://github.com/pixpress/pixpress/blob/main/docs/options.md
 * @throws PixpressError `INVALID_OPTION`
 * @example // astro.config.mjs import pixpress from '@pixpress/astro' import { defineConfig } from 'astro/config'
 *
 * export default defineConfig({ integrations: [pixpress()] })
 */
export default function pixpress(options: Options = {}): Integration {
  const plugins = pixpressVite(options)
  const found = originals()
  let root = process.cwd()
  let base = '/'
  let publicDir = ''
  let targets: readonly string[] = []
  let isServer = false
  let isOthers = false
  const calls = { made: 0 }
  const session = (): ReturnType<typeof openSession> => openSession(options, root, targets)
  return {
    name: '@pixpress/astro',
    hooks: {
      'astro:config:setup'({ command, config, injectScript, updateConfig, logger }) {
        root = fileURLToPath(config.root)
        publicDir = fileURLToPath(config.publicDir)
        targets = targetsIn(config.vite.build?.target)
        hold({ options, root, targets, isServed: command === 'dev', emitted: found.emitted, counted: calls })
        const { entrypoint, config: kept } = config.image.service
        isOthers = !DEFAULT_SERVICES.includes(entrypoint)
        base = config.base.replace(/\/?$/, '/')
        if (!isOthers) addEndpoint(`${base}_image`)
        if (isOthers) {
          logger.warn(
            `<Image> stays with the image service '${entrypoint}': leave out image.service for pixpress to do it.`,
          )
        }
        // Options of a deployed server. A browser may be told them, so they contain no key and no path.
        const service = {
          entrypoint: '@pixpress/astro/service',
          config: { ...kept, pixpress: operationsOf(options as Parameters<typeof operationsOf>[0]) },
        }
        // Alt+P, where Vite has no page to put it in.
        if (command === 'dev') injectScript('head-inline', `import('${base}__pixpress/overlay.js')`)
        updateConfig({
          ...(!isOthers && { image: { service } }),
          vite: {
            plugins: [plugins, found.plugin, astroOfProject(() => root)],
            // The service is part of the page's code, as Astro's own; what it does to pixels is not.
            ssr: { noExternal: ['@pixpress/astro'], external: [ENGINE] },
          },
        })
      },
      'astro:config:done'({ buildOutput }) {
        isServer = buildOutput === 'server'
      },
      'astro:build:start'() {
        calls.made = 0
        // Astro makes its images when Vite's builds have ended: one report for all.
        session().joinBuilds(Infinity)
      },
      async 'astro:build:done'({ dir, logger }) {
        const warn = (message: string): void => logger.warn(message)
        const folder = fileURLToPath(dir)
        const sourceOf = (name: string): string | undefined =>
          found.emitted.get(name) ?? (session().options.publicDir ? path.join(publicDir, name) : undefined)
        for (const { planned } of await convertPages(session(), { folder, base, sourceOf }, warn))
          if (found.files.has(planned.file)) await session().baselines.measure(planned, asItIs(planned.source))
        // A server makes further images from the originals.
        if (!isServer) await compressOriginals(session(), found.files, folder, warn)
        if (!isOthers) noteReused(session(), calls.made)
        session().joinBuilds(0)
        await session().endBuild()
      },
    },
  }
}

/** Says how many images Astro took from its own cache, where nothing of pixpress sees them. */
function noteReused({ log }: ReturnType<typeof openSession>, made: number): void {
  const asked = [...staticImages().values()].reduce((sum, { transforms }) => sum + (transforms?.size ?? 0), 0)
  const reused = asked - made
  if (reused > 0)
    log.hint(
      `Astro reused ${reused} ${reused === 1 ? 'image' : 'images'} from its own cache: the report leaves them out.`,
    )
}

/** Native code, which Node loads when the service needs it. */
const ENGINE = '@pixpress/astro/engine'

/**
 * The service imports from the project's own Astro, which a package manager need not put where this package would find
 * it.
 */
function astroOfProject(root: () => string): VitePlugin {
  return {
    name: 'pixpress:astro-of-project',
    enforce: 'pre',
    resolveId(id, importer) {
      // Environments of Astro 6 and later have lists of their own of what is external.
      if (id === ENGINE) return { id, external: true }
      const isOurs = OF_ASTRO.has(id) && importer !== undefined && SERVICE.test(importer)
      return isOurs ? this.resolve(id, path.join(root(), 'astro.config.mjs'), { skipSelf: true }) : null
    },
  }
}

const OF_ASTRO: ReadonlySet<string> = new Set(['astro/assets', 'astro/assets/services/sharp'])
const SERVICE = /[\\/]astro[\\/](?:dist|src)[\\/]service\.[jt]s$/

export { pixpress }
export type { Integration, Options }
