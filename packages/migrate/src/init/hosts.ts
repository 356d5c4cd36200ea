/** A bundler or framework that `pixpress init` knows. */
export interface Host {
  /** Its name for people. */
  readonly title: string
  /** Packages of which a project that uses it has one. */
  readonly packages: readonly string[]
  /** The configuration's file names, in the order in which they are looked for. */
  readonly files: readonly string[]
  /** The package to install. */
  readonly install: string
  /** Lines that a person adds where the configuration cannot be changed, as documentation has them. */
  readonly lines: readonly string[]
  /** How a configuration is changed; absent where that is not one item of one list. */
  readonly edit?: HostEdit
  /** The file that is made where the project has no configuration; absent where it needs one of its own anyway. */
  readonly newFile?: string
}

/** How one item is added to one list of a configuration. */
export interface HostEdit {
  /** The list that gets the item. */
  readonly list: 'plugins' | 'integrations' | 'modules'
  /** Module that is imported as `pixpress`; absent where the item alone is enough. */
  readonly specifier?: string
  /** The item as code, with single quotes. */
  readonly item: string
  readonly at: 'start' | 'end'
}

const configFiles = (name: string, extensions: readonly string[]): readonly string[] =>
  extensions.map((extension) => `${name}.config.${extension}`)

const SCRIPTS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'] as const

function bundler(name: string, title: string, packages: readonly string[]): Host {
  const specifier = `unplugin-pixpress/${name}`
  return {
    title,
    packages,
    files: configFiles(name, SCRIPTS),
    install: 'unplugin-pixpress',
    lines: [`import pixpress from '${specifier}'`, 'plugins: [pixpress()]'],
    edit: { list: 'plugins', specifier, item: 'pixpress()', at: 'end' },
  }
}

/** A bundler that is configured by scripts of the project's own. */
function scripted(name: string, title: string, packages: readonly string[]): Host {
  const { edit: _, ...others } = bundler(name, title, packages)
  return { ...others, files: [] }
}

/** Frameworks first, as they bring bundlers along. */
export const HOST_NAMES = [
  'astro',
  'nuxt',
  'next',
  'eleventy',
  'rsbuild',
  'vite',
  'rspack',
  'webpack',
  'farm',
  'rolldown',
  'rollup',
  'esbuild',
  'bun',
] as const

/** Name of a bundler or framework, as `--bundler` takes it. */
export type HostName = (typeof HOST_NAMES)[number]

/** Every bundler and framework that the command knows. */
export const HOSTS: Readonly<Record<HostName, Host>> = {
  astro: {
    title: 'Astro',
    packages: ['astro'],
    files: configFiles('astro', SCRIPTS),
    install: '@pixpress/astro',
    lines: ["import pixpress from '@pixpress/astro'", 'integrations: [pixpress()]'],
    edit: { list: 'integrations', specifier: '@pixpress/astro', item: 'pixpress()', at: 'end' },
  },
  nuxt: {
    title: 'Nuxt',
    packages: ['nuxt'],
    files: configFiles('nuxt', SCRIPTS),
    install: '@pixpress/nuxt',
    lines: ["modules: ['@pixpress/nuxt']"],
    edit: { list: 'modules', item: "'@pixpress/nuxt'", at: 'start' },
  },
  next: {
    title: 'Next.js',
    packages: ['next'],
    files: configFiles('next', SCRIPTS),
    install: 'unplugin-pixpress',
    lines: [
      "import { withPixpress } from 'unplugin-pixpress/next'",
      'export default withPixpress({ … }) around the configuration',
      '"build": "next build && pixpress-next" in package.json, for an exported site',
    ],
  },
  eleventy: {
    title: 'Eleventy',
    packages: ['@11ty/eleventy'],
    files: ['.eleventy.js', ...configFiles('eleventy', ['js', 'mjs', 'cjs'])],
    install: 'unplugin-pixpress',
    lines: ["import pixpress from 'unplugin-pixpress/eleventy'", 'config.addPlugin(pixpress)'],
  },
  rsbuild: bundler('rsbuild', 'Rsbuild', ['@rsbuild/core']),
  vite: { ...bundler('vite', 'Vite', ['vite']), newFile: 'vite.config.mjs' },
  rspack: bundler('rspack', 'Rspack', ['@rspack/cli', '@rspack/core']),
  webpack: bundler('webpack', 'webpack', ['webpack', 'webpack-cli']),
  farm: bundler('farm', 'Farm', ['@farmfe/cli', '@farmfe/core']),
  rolldown: bundler('rolldown', 'Rolldown', ['rolldown']),
  rollup: bundler('rollup', 'Rollup', ['rollup']),
  esbuild: scripted('esbuild', 'esbuild', ['esbuild']),
  bun: scripted('bun', 'Bun', ['@types/bun', 'bun-types']),
}
