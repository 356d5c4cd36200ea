import path from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import type { Size } from './pictures.ts'

/** Where files of the repository that are no pages of the site are shown. */
export const REPOSITORY = 'https://github.com/pixpress/pixpress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Widths in which pictures of pages are offered, in pixels: phones, and the column of text at one and two for each. */
const WIDTHS = [390, 780, 1376]
/** Lines of a page's source that the first window shows of it, at most. */
const FIRST_LINES = 20
/** The column of text in windows of these widths, and what it takes of smaller ones. */
const SIZES = '(min-width: 960px) 688px, calc(100vw - 48px)'

/**
 * Changes what is right on GitHub into what is right here: links that leave `docs` lead to the repository, and pictures
 * get their size, their widths, and patience where they stand further down; empty heads of tables become plain cells,
 * and Vue does not evaluate inline code.
 * @param sizes of the pictures, by their paths relative to `docs`
 */
export function connectPages(markdown: MarkdownRenderer, sizes: ReadonlyMap<string, Size>): void {
  markdown.core.ruler.push('pixpress-pages', ({ tokens, env }) => {
    const { relativePath = '' } = env as { relativePath?: string }
    let count = 0
    for (const [at, { type, content, children, map }] of tokens.entries()) {
      // A head that says nothing heads nothing, for those who hear it.
      if (type === 'inline' && content === '' && tokens[at - 1]?.type === 'th_open') {
        for (const cell of [tokens[at - 1], tokens[at + 1]]) cell!.tag = 'td'
      }
      for (const token of children ?? []) {
        // Vue would evaluate `{{ }}` in code within a sentence; VitePress guards blocks of code alone.
        if (token.type === 'code_inline') token.attrSet('v-pre', '')
        if (token.type === 'link_open') connectLink(token, relativePath)
        if (token.type === 'image')
          connectPicture(token, {
            relativePath,
            sizes,
            isFirst: count++ === 0 && (map?.[0] ?? FIRST_LINES) < FIRST_LINES,
          })
      }
    }
  })
}

/** @param page the page's path relative to `docs` */
function connectLink(token: Token, page: string): void {
  const href = token.attrGet('href') ?? ''
  const [, target = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? []
  if (target === '' || /^[a-z][a-z+.-]*:|^\//i.test(target)) return
  const resolved = path.posix.join('docs', path.posix.dirname(page), target)
  if (/^docs\/(?!images\/).*\.md$/.test(resolved)) {
    const isList = path.posix.basename(target) === 'README.md'
    if (isList) token.attrSet('href', `${target.replace(/README\.md$/, 'index.md')}${rest}`)
    return
  }
  const kind = /\.\w+$|\/LICENSE$/.test(resolved) ? 'blob' : 'tree'
  token.attrSet('href', `${REPOSITORY}/${kind}/main/${resolved}${rest}`)
}

interface Place {
  readonly relativePath: string
  readonly sizes: ReadonlyMap<string, Size>
  readonly isFirst: boolean
}

function connectPicture(token: Token, { relativePath, sizes, isFirst }: Place): void {
  const source = token.attrGet('src') ?? ''
  const size = sizes.get(path.posix.join(path.posix.dirname(relativePath), source))
  if (size === undefined) return
  const widths = WIDTHS.filter((width) => width < size.width)
  const file = source.startsWith('.') ? source : `./${source}`
  const candidates = [...widths.map((width) => `${file}?w=${width} ${width}w`), `${file} ${size.width}w`]
  token.attrSet('width', String(size.width))
  token.attrSet('height', String(size.height))
  if (widths.length > 0) {
    token.attrSet('srcset', candidates.join(', '))
    token.attrSet('sizes', SIZES)
  }
  token.attrSet(...((isFirst ? ['fetchpriority', 'high'] : ['loading', 'lazy']) as [string, string]))
}
