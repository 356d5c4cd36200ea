import { fileURLToPath } from 'node:url'
import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vitepress'
import type { UserConfig } from 'vitepress'
import { browserModules, faceStyle } from './site/browser-modules.ts'
import { REPOSITORY, connectPages } from './site/markdown.ts'
import { sizesOfPictures } from './site/pictures.ts'
import { SIDEBAR, assertReachable } from './site/sidebar.ts'

/** A test of the pages need not wait for the last bytes of their pictures. */
const EFFORT = process.env['DOCS_EFFORT'] === 'fast' ? 'fast' : 'default'

const docs = fileURLToPath(new URL('..', import.meta.url))
/** VitePress has a Vite of its own, older than the workspace's, whose types are others. */
type Plugins = NonNullable<NonNullable<UserConfig['vite']>['plugins']>

/** The mark of the pages: a picture of which a part is done. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='%2317718c' d='M1 1h14v14H1z'/><path fill='%23fff' d='M7 3h6v10H7z'/></svg>"

const sizes = await sizesOfPictures(docs)

export default defineConfig({
  title: 'pixpress',
  description: 'Every image of a web project as small as it can be while it still looks right',
  lang: 'en-GB',
  // The workflow names the path of the repository's pages.
  base: process.env['DOCS_BASE'] ?? '/',
  srcExclude: ['images/**'],
  rewrites: { 'frameworks/README.md': 'frameworks/index.md' },
  transformPageData: ({ relativePath }, { siteConfig }) => {
    if (relativePath === 'index.md') assertReachable(siteConfig.pages.map((page) => page.replace(/\.md$/, '')))
  },
  head: [['link', { rel: 'icon', href: ICON }]],
  markdown: {
    config: (markdown) => connectPages(markdown, sizes),
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/reference' },
      { text: 'GitHub', link: REPOSITORY },
    ],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
  },
  vite: {
    plugins: [browserModules(), faceStyle(), ...(pixpress({ convert: 'auto', effort: EFFORT }) as unknown as Plugins)],
    worker: { format: 'es', plugins: () => [browserModules()] },
    optimizeDeps: { exclude: ['@jsquash/jxl'] },
    server: { fs: { allow: ['../..'] } },
  },
})
