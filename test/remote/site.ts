import { animation, createProject, graphic, photo, transparentGraphic } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { RemoteUsage, Report } from '@pixpress/core/report'
import { build } from '../contract/build.ts'
import type { BuildResult } from '../contract/build.ts'
import type { Bundler } from '../contract/capabilities.ts'

/**
 * The compressions that a service counts for the site: an upload for each of the four photographs and graphics, and two
 * sizes of one. A second file with the bytes of another is no image of its own; this machine works on animations and
 * vectors.
 */
export const UPLOADS = 4
export const COMPRESSIONS = 6

/** Images that the service makes: one of each upload, and one more of the one in two sizes. */
export const SENT = 5

/** Images that come out of it: one of each source, and two of the one with directives. */
export const IMAGES = 7

const SCRIPT = `import small from './hero.jpg?preset=small'
import large from './hero.jpg?w=120'
import photo from './photo.jpg'
import copy from './copy.jpg'
import logo from './logo.png'
import moving from './moving.gif'
import icon from './icon.svg'
import './site.css'
globalThis.site = { images: { small, large, photo, copy, logo, moving, icon } }
`

/** The plugin's options but for the engine: the small picture's size is an option, so that it can change. */
export const OPTIONS = { presets: { small: { w: 60 } } } as const

const PACKAGES: Readonly<Record<'vite' | 'webpack', readonly string[]>> = {
  vite: ['vite'],
  webpack: ['webpack', 'css-loader', 'mini-css-extract-plugin'],
}

export async function createSite(name: string, bundler: 'vite' | 'webpack' = 'vite'): Promise<Project> {
  const photograph = await photo(180, 120, 2).jpeg(95)
  return createProject(`remote-${name}`, {
    packages: ['unplugin-pixpress', ...PACKAGES[bundler]],
    files: {
      'src/main.js': SCRIPT,
      'src/site.css': '.cutout { background: url(./cutout.webp) }\n',
      'src/hero.jpg': await photo(240, 160).jpeg(95),
      'src/photo.jpg': photograph,
      'src/copy.jpg': photograph,
      'src/logo.png': await graphic(200, 150).png(),
      'src/cutout.webp': await transparentGraphic(240, 180, 3).webp(),
      'src/moving.gif': await animation(80, 60).gif(),
      'src/icon.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- a --><rect width="5" height="5"/></svg>',
    },
  })
}

/** Where a service is, as the plugin takes it. */
export interface EngineSettings {
  readonly endpoint: string
  readonly key: string
  readonly ca: string
  readonly [option: string]: unknown
}

export interface SiteBuild extends BuildResult {
  /** @throws Error where there is no report, or it tells of no service */
  readonly remote: RemoteUsage
}

/** One build, in a process of its own, that may fail. */
export async function buildSite(
  project: Project,
  engine: EngineSettings | 'local',
  options: object = {},
  bundler: Bundler = 'vite',
): Promise<SiteBuild> {
  const result = await build(project, bundler, { ...OPTIONS, engine, ...options }, { timeout: 180_000 })
  return {
    ...result,
    get remote() {
      const { remote } = (result.report ?? {}) as Partial<Report>
      if (remote === undefined)
        throw new Error(`The report tells of no service: ${result.error}\n${result.process.stderr}`)
      return remote
    },
  }
}
