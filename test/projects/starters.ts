/** A project as its framework's starter makes it, with four images of its own and one that is copied as it is. */
export interface Starter {
  /** Shown in the summary. */
  readonly name: string
  /** Folder in `test/projects`. */
  readonly folder: string
  /** Major version of Node that it needs at least; an older one leaves it untried. */
  readonly node?: number
  /** Versions of dependencies in place of those in its `package.json`. */
  readonly versions?: Readonly<Record<string, string>>
  /** Scripts in place of those in its `package.json`. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Folder of the images that sources refer to. Default `src/assets`. */
  readonly assets?: string
  /** Folder of the images that are copied as they are. Default `public`. */
  readonly copied?: string
  /** Sources that the framework delivers itself, which stay as they are. */
  readonly stay?: readonly string[]
  /** The build's words about those that stay. */
  readonly says?: string
  /** A report of the build that compares images with what this tool would have made of them. */
  readonly compares?: { readonly report: string; readonly tool: string }
  /** Sources that the framework's own components make in several sizes, or keep a copy of besides. */
  readonly sized?: readonly string[]
  /** Images in `assets` beside those that all starters have, and the example's image that each is. */
  readonly more?: Readonly<Record<string, string>>
  /** Folder that a browser is served from. Default `dist`. */
  readonly output?: string
  /** Arguments of Node that start the dev server, before `--port`. Absent: its dev server is not tried. */
  readonly dev?: readonly string[]
  /** A service worker that lists files of the output, in it. */
  readonly serviceWorker?: string
}

/** Images of every starter, and the repository's image that each is. All can be made smaller. */
export const IMAGES: Readonly<Record<string, string>> = {
  'photo.jpg': 'examples/images/dahlia.jpg',
  'hills.png': 'examples/images/hills.png',
  'logo.png': 'examples/images/logo.png',
  'scene.svg': 'test/fixtures/site/src/images/scene.svg',
}

/** The image that is copied as it is. */
export const COPIED: Readonly<Record<string, string>> = { 'icon.png': 'examples/images/icon.png' }

const ASTRO = {
  folder: 'astro',
  more: { 'poster.jpg': 'examples/images/temple.jpg' },
  sized: ['src/assets/photo.jpg', 'src/assets/hills.png', 'src/assets/poster.jpg'],
} as const

/**
 * The starters that `npm run test:projects` builds. Versions are those that run on the oldest Node that pixpress
 * supports, unless they say.
 */
export const STARTERS: readonly Starter[] = [
  { name: 'Vite 8', folder: 'vite' },
  { name: 'Vite 5', folder: 'vite', versions: { vite: '5.4.21' } },
  { name: 'VitePress', folder: 'vitepress', assets: 'assets', output: '.vitepress/dist' },
  { ...ASTRO, name: 'Astro 5', dev: ['node_modules/astro/astro.js', 'dev', '--host', '127.0.0.1'] },
  { ...ASTRO, name: 'Astro 7', versions: { astro: '7.3.5' }, node: 22 },
  {
    name: 'Nuxt',
    folder: 'nuxt',
    assets: 'app/assets',
    sized: ['public/icon.png'],
    compares: { report: 'report.json', tool: 'ipx' },
    output: '.output/public',
    dev: ['node_modules/nuxt/bin/nuxt.mjs', 'dev', '--host', '127.0.0.1', '--no-fork'],
  },
  {
    name: 'SvelteKit',
    folder: 'sveltekit',
    assets: 'src/lib/assets',
    sized: ['src/lib/assets/photo.jpg'],
    copied: 'static',
    output: 'build',
    dev: ['node_modules/vite/bin/vite.js', 'dev', '--host', '127.0.0.1'],
  },
  { name: 'React Router', folder: 'react-router', assets: 'app/assets', output: 'build/client' },
  {
    name: 'TanStack Start',
    folder: 'tanstack-start',
    node: 22,
    output: 'dist/client',
  },
  {
    name: 'Laravel',
    folder: 'laravel',
    assets: 'resources/images',
    // Laravel's own `public/` is served as it lies there, and no build copies it.
    copied: 'resources/images',
    output: 'public',
  },
  { name: 'WXT', folder: 'wxt', assets: 'assets', output: '.output/chrome-mv3' },
  { name: 'vite-plugin-pwa', folder: 'vite-plugin-pwa', serviceWorker: 'sw.js' },
  { name: 'webpack with file-loader', folder: 'webpack' },
  { name: 'Rsbuild', folder: 'rsbuild' },
  { name: 'Rspress', folder: 'rspress', assets: 'assets', copied: 'docs/public', output: 'doc_build' },
  { name: 'Storybook', folder: 'storybook', output: 'storybook-static' },
  { name: 'Docusaurus', folder: 'docusaurus', copied: 'static', output: 'build' },
  {
    name: 'Eleventy',
    folder: 'eleventy',
    sized: ['src/assets/photo.jpg', 'public/icon.png'],
    dev: ['node_modules/@11ty/eleventy/cmd.cjs', '--serve'],
  },
  {
    name: 'Next.js with webpack',
    folder: 'next',
    assets: 'assets',
    output: 'out',
    sized: ['assets/photo.jpg', 'assets/logo.png', 'public/icon.png'],
    dev: ['node_modules/next/dist/bin/next', 'dev', '--webpack', '--hostname', '127.0.0.1'],
  },
  {
    name: 'Next.js with Turbopack',
    folder: 'next',
    scripts: { build: 'next build && pixpress-next' },
    assets: 'assets',
    output: 'out',
    sized: ['assets/photo.jpg', 'assets/logo.png', 'public/icon.png'],
    dev: ['node_modules/next/dist/bin/next', 'dev', '--turbopack', '--hostname', '127.0.0.1'],
  },
]
