import './same-release.ts'
import path from 'node:path'
import { addEndpoint, openSession } from 'unplugin-pixpress/internal'
import pixpressVite from 'unplugin-pixpress/vite'
import type { Options } from 'unplugin-pixpress/vite'
import { holdProject, projectOf } from './image-project.ts'
import type { Nuxt } from './nuxt-types.ts'

/** The handler that answers for @nuxt/image, which leaves the requests of its components to a project's own handler. */
const HANDLER = '#pixpress/ipx'

/** A Nuxt module, as `modules` takes it. */
export interface PixpressModule {
  (options: Options | undefined, nuxt: Nuxt): void
  getMeta(): Promise<{ name: string; configKey: string; compatibility: { nuxt: string } }>
  getOptions(options?: Options): Promise<Options>
}

function setUp(inline: Options | undefined, nuxt: Nuxt): void {
  const options: Options = { ...nuxt.options.pixpress, ...inline }
  addPlugin(nuxt, options)
  nuxt.hook('modules:done', () => answerForComponents(nuxt, options))
}

/**
 * pixpress for Nuxt 3.12 and later. Images of templates, scripts, stylesheets and `public/` go through the plugin of
 * the project's builder. With @nuxt/image, `nuxt generate` and dev servers answer the URLs of `<NuxtImg>` and
 * `<NuxtPicture>` by pixpress instead of ipx.
 *
 * Options are the plugin's, under `pixpress` or beside the module's name:
 * https://github.com/pixpress/pixpress/blob/main/docs/options.md
 * @throws PixpressError `INVALID_OPTION`
 * @example // nuxt.config.ts export default defineNuxtConfig({ modules: ['@pixpress/nuxt', '@nuxt/image'] })
 */
const pixpress: PixpressModule = Object.assign(setUp, {
  getMeta: () =>
    Promise.resolve({ name: '@pixpress/nuxt', configKey: 'pixpress', compatibility: { nuxt: '>=3.12.0' } }),
  getOptions: (options: Options = {}) => Promise.resolve(options),
})

/** Adds the plugin of whichever builder the project has. */
function addPlugin(nuxt: Nuxt, options: Options): void {
  // This also runs where another builder is used: options are refused where they are written.
  const plugins = pixpressVite(options)
  const { vite } = nuxt.options
  vite.plugins = [...(vite.plugins ?? []), plugins]
  nuxt.hook('webpack:config', async (configs) => {
    const { default: plugin } = await import('unplugin-pixpress/webpack')
    for (const config of configs) config.plugins = [...(config.plugins ?? []), plugin(options)]
  })
  nuxt.hook('rspack:config', async (configs) => {
    const { default: plugin } = await import('unplugin-pixpress/rspack')
    for (const config of configs) config.plugins = [...(config.plugins ?? []), plugin(options)]
  })
}

function answerForComponents(nuxt: Nuxt, options: Options): void {
  const { options: project } = nuxt
  const given = project.image
  const { _installedModules: installed } = project
  const isUsed = installed?.some(({ meta }) => meta?.name === '@nuxt/image') ?? given !== undefined
  if (!isUsed || !takesProvider(given?.provider)) return
  // A server that is deployed has neither the sources nor the cache: there ipx stays.
  if (!project.dev && !isGenerated(nuxt)) return
  const images = projectOf(project, options)
  holdProject(images, options)
  const route = `${(given?.ipx?.baseURL ?? '/_ipx').replace(/\/+$/, '')}/**`
  project.serverHandlers.push({ route, handler: HANDLER })
  addEndpoint(`${images.base.replace(/\/$/, '')}${route.slice(0, -2)}`)
  nuxt.hook('nitro:config', (nitro) => {
    nitro.virtual = { ...nitro.virtual, [HANDLER]: handlerCode({ ...images, route: route.slice(0, -3) }) }
  })
  nuxt.hook('nitro:init', (nitro) => {
    nitro.hooks.hook('prerender:done', () => openSession(options, project.rootDir).endBuild())
  })
}

const takesProvider = (provider: string | undefined): boolean =>
  provider === undefined || ['auto', 'ipx', 'ipxStatic'].includes(provider)

const isGenerated = ({ options: { _generate: isAsked, nitro } }: Nuxt): boolean =>
  isAsked === true || nitro?.static === true

/**
 * The engine is native code, so Nitro is to leave it where it is: it is imported by its address, when it is first
 * needed.
 */
function handlerCode(project: object): string {
  const engine = JSON.stringify(new URL(`./engine${path.extname(import.meta.url)}`, import.meta.url).href)
  return `const engine = ${engine}
const handler = async (event) => {
  const { answer } = await import(engine)
  return answer(event.path, ${JSON.stringify(project)})
}
export default Object.assign(handler, { __is_handler__: true })
`
}

export default pixpress
export { pixpress }
export type { Nuxt, Options }
