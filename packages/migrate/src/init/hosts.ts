import type { ScriptKind } from './script-kind.ts'

/** A bundler or framework that `pixpress init` knows. */
export interface Host {
  /** Its name for people. */
  readonly title: string
  /** Packages of which a project that uses it has one. */
  readonly packages: readonly string[]
  /** The oldest versions that the plugin works with, major and minor, by package. */
  readonly needs: Readonly<Record<string, string>>
  /** The configuration's file names, in the order in which they are looked for. */
  readonly files: readonly string[]
  /** The package to install. */
  readonly install: string
  /** The plugin's module, and how scripts load it; absent where the host loads it by its name. */
  readonly module?: HostModule
  /** Lines that a person adds besides where the configuration cannot be changed, as documentation has them. */
  readonly lines: readonly string[]
  /** How a configuration is changed; absent where that is not one item of one list. */
  readonly edit?: HostEdit
  /** The file that is made where the project has no configuration; absent where it needs one of its own anyway. */
  readonly newFile?: string
  /** The kind of a configuration that is yet to be written; absent where the project's `type` decides it. */
  readonly newKind?: ScriptKind
}

/** A module of ours, and the statement that loads it, with single quotes, by the kind of script. */
export interface HostModule extends Readonly<Record<ScriptKind, string>> {
  readonly specifier: string
}

/** How one item is added to one list of a configuration. */
export interface HostEdit {
  /** The list that gets the item, by the names on the way to it. */
  readonly list: 'plugins' | 'integrations' | 'modules' | 'webpack.plugins.add'
  /** The item as code, with single quotes. */
  readonly item: string
  readonly at: 'start' | 'end'
  /** Modules of plugins that have to stand behind the item. */
  readonly before?: readonly string[]
}

/** A module that is also what `require()` gives: it has the export `module.exports`, which Node knows from 20.19 on. */
const whole = (specifier: string): HostModule => ({
  specifier,
  esm: `import pixpress from '${specifier}'`,
  commonjs: `const pixpress = require('${specifier}')`,
})

/** A module of which `require()` gives the names that it exports. */
const named = (specifier: string, name: string, esm: string): HostModule => ({
  specifier,
  esm: `import ${esm} from '${specifier}'`,
  commonjs: `const { ${name} } = require('${specifier}')`,
})

const configFiles = (name: string, extensions: readonly string[]): readonly string[] =>
  extensions.map((extension) => `${name}.config.${extension}`)

const SCRIPTS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'] as const

/** Modules of plugins that load images by themselves: what they get to see first, ours never does. */
const LOADERS = [
  '@sveltejs/enhanced-img',
  'vite-imagetools',
  '@zerodevx/svelte-img/vite',
  '@rollup/plugin-url',
  '@rollup/plugin-image',
] as const

function bundler(name: string, title: string, packages: readonly string[], needs: Host['needs']): Host {
  return {
    title,
    packages,
    needs,
    files: configFiles(name, SCRIPTS),
    install: 'unplugin-pixpress',
    module: whole(`unplugin-pixpress/${name}`),
    lines: ['plugins: [pixpress()]'],
    edit: { list: 'plugins', item: 'pixpress()', at: 'end', before: LOADERS },
  }
}

/** A bundler that is configured by scripts of the project's own. */
function scripted(name: string, title: string, packages: readonly string[], needs: Host['needs']): Host {
  const { edit: _, ...others } = bundler(name, title, packages, needs)
  return { ...others, files: [] }
}

/** Frameworks first, as they bring bundlers along. */
export const HOST_NAMES = [
  'astro',
  'nuxt',
  'next',
  'eleventy',
  'craco',
  'rsbuild',
  'vite',
  'rspack',
  'webpack',
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
    needs: { astro: '5.0' },
    files: configFiles('astro', SCRIPTS),
    install: '@pixpress/astro',
    module: named('@pixpress/astro', 'pixpress', 'pixpress'),
    lines: ['integrations: [pixpress()]'],
    edit: { list: 'integrations', item: 'pixpress()', at: 'end' },
    // Astro itself makes 'astro.config.mjs'.
    newKind: 'esm',
  },
  nuxt: {
    title: 'Nuxt',
    packages: ['nuxt'],
    needs: { nuxt: '3.12' },
    files: configFiles('nuxt', SCRIPTS),
    install: '@pixpress/nuxt',
    lines: ["modules: ['@pixpress/nuxt']"],
    edit: { list: 'modules', item: "'@pixpress/nuxt'", at: 'start' },
  },
  next: {
    title: 'Next.js',
    packages: ['next'],
    needs: { next: '14.0' },
    files: configFiles('next', SCRIPTS),
    install: 'unplugin-pixpress',
    module: named('unplugin-pixpress/next', 'withPixpress', '{ withPixpress }'),
    lines: [
      'withPixpress({ … }) around the configuration that is exported',
      '"build": "next build && pixpress-next" in package.json, for an exported site',
    ],
  },
  eleventy: {
    title: 'Eleventy',
    packages: ['@11ty/eleventy'],
    needs: { '@11ty/eleventy': '2.0' },
    files: ['.eleventy.js', ...configFiles('eleventy', ['js', 'mjs', 'cjs'])],
    install: 'unplugin-pixpress',
    module: named('unplugin-pixpress/eleventy', 'pixpress', 'pixpress'),
    lines: ['config.addPlugin(pixpress)'],
  },
  craco: {
    title: 'create-react-app with craco',
    packages: ['@craco/craco'],
    needs: { webpack: '5.90' },
    files: [...configFiles('craco', ['ts', 'js', 'cjs']), '.cracorc.ts', '.cracorc.js'],
    install: 'unplugin-pixpress',
    module: whole('unplugin-pixpress/webpack'),
    lines: ['webpack: { plugins: { add: [pixpress()] } }'],
    edit: { list: 'webpack.plugins.add', item: 'pixpress()', at: 'end' },
  },
  rsbuild: bundler('rsbuild', 'Rsbuild', ['@rsbuild/core'], { '@rsbuild/core': '2.0' }),
  vite: { ...bundler('vite', 'Vite', ['vite'], { vite: '5.4', '@sveltejs/kit': '2.0' }), newFile: 'vite.config.mjs' },
  rspack: bundler('rspack', 'Rspack', ['@rspack/cli', '@rspack/core'], { '@rspack/core': '1.5' }),
  webpack: bundler('webpack', 'webpack', ['webpack', 'webpack-cli'], { webpack: '5.90' }),
  rolldown: bundler('rolldown', 'Rolldown', ['rolldown'], { rolldown: '1.0' }),
  rollup: bundler('rollup', 'Rollup', ['rollup'], { rollup: '4.0' }),
  esbuild: scripted('esbuild', 'esbuild', ['esbuild'], { esbuild: '0.24' }),
  bun: scripted('bun', 'Bun', ['@types/bun', 'bun-types'], {}),
}

/** Every line that a person adds to a script of this kind. */
export const linesFor = ({ module, lines }: Host, kind: ScriptKind): readonly string[] =>
  module === undefined ? lines : [module[kind], ...lines]
