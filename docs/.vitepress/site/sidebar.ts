/** The purpose of a reader, with the pages that serve it, in the order in which they are read. */
interface Purpose {
  readonly text: string
  readonly pages: readonly (readonly [page: string, text: string])[]
}

const PURPOSES: readonly Purpose[] = [
  {
    text: 'Start',
    pages: [
      ['start', 'Install'],
      ['frameworks/README', 'Frameworks'],
      ['playground', 'Playground'],
      ['migrate', 'From another plugin'],
      ['migrating-from-vite-imagetools', 'vite-imagetools'],
      ['migrating-from-vite-plugin-image-optimizer', 'vite-plugin-image-optimizer'],
      ['migrating-from-image-minimizer-webpack-plugin', 'image-minimizer-webpack-plugin'],
      ['migrating-from-unplugin-imagemin', 'unplugin-imagemin'],
      ['moving-from-plugins', 'Plugins of a hosted service'],
    ],
  },
  {
    text: 'Use',
    pages: [
      ['convert', 'AVIF and WebP everywhere'],
      ['directives', 'Sizes and types of one image'],
      ['widths', 'Widths by bytes'],
      ['placeholders', 'Placeholders'],
      ['types', 'Types of imports'],
      ['inspector', 'The inspector'],
      ['first-build', 'A short first build'],
      ['cache', 'The cache'],
      ['lock', 'The lock'],
      ['remote-images', 'Images of other servers'],
      ['stores', 'Images in object storage'],
      ['faces', 'What it looks like'],
    ],
  },
  {
    text: 'What you get',
    pages: [
      ['quality', 'What is promised'],
      ['formats', 'Formats'],
      ['payloads', 'Payloads'],
      ['effort', 'Effort'],
      ['colour', 'Colour'],
      ['cropping', 'Cropping'],
      ['report', 'The report'],
      ['conformance', 'Which files it reads'],
    ],
  },
  {
    text: 'Command',
    pages: [
      ['cli', 'The command line'],
      ['check', 'Images in CI'],
      ['github-action', 'A GitHub Action'],
      ['audit', 'Images of finished pages'],
      ['batch', 'Whole buckets'],
      ['scale', 'Many images, many machines'],
    ],
  },
  {
    text: 'Service',
    pages: [
      ['server', 'The server'],
      ['self-hosted', 'A server for your builds'],
      ['remote', 'Builds that use a service'],
      ['delivery', 'Pictures straight into pages'],
      ['client', 'The client'],
      ['capacity', 'How large it has to be'],
    ],
  },
  {
    text: 'Reference',
    pages: [
      ['reference', 'Every option, directive, flag'],
      ['options', 'Options'],
      ['bundlers', 'What each bundler can carry'],
      ['glossary', 'Words'],
      ['versions', 'Versions'],
      ['architecture', 'Architecture'],
      ['dependencies', 'Dependencies'],
      ['releasing', 'Releasing'],
    ],
  },
]

/** Pages that the front page or a page of their own leads to. */
const ELSEWHERE: ReadonlySet<string> = new Set(['index'])

/** A page without its ending, as it is served: the list of a folder stands at the folder. */
const servedAs = (page: string): string => `/${page.replace(/(?:^|(?<=\/))README$/, '')}`

/** The navigation beside each page, as VitePress takes it. */
export const SIDEBAR: { text: string; items: { text: string; link: string }[] }[] = PURPOSES.map(({ text, pages }) => ({
  text,
  items: pages.map(([page, shown]) => ({ text: shown, link: servedAs(page) })),
}))

/**
 * Throws for a page that the navigation does not lead to, as nobody would find it.
 * @param pages all pages, without their ending, relative to `docs`
 */
export function assertReachable(pages: readonly string[]): void {
  const listed = new Set(PURPOSES.flatMap(({ pages: each }) => each.map(([page]) => page)))
  const missing = pages.filter((page) => !listed.has(page) && !ELSEWHERE.has(page) && !page.startsWith('frameworks/'))
  if (missing.length > 0) throw new Error(`docs/.vitepress/site/sidebar.ts leads to no page ${missing.join(', ')}.`)
}
