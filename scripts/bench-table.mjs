import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { withTables, table } from './options-docs.mjs'
import { root } from './bootstrap.mjs'

// Writes the table of the README and of the site's front page from what bench/site.mjs recorded in bench/README.md. A
// test tells when it is due.

/** The pages with the table. */
export const PAGES = ['README.md', 'docs/index.md']

/** Tools in the order of the table, with the words for each. */
const TOOLS = [
  ['no plugin', 'no plugin'],
  ['pixpress', '**pixpress**'],
  ['vite-plugin-image-optimizer', 'vite-plugin-image-optimizer 2'],
  ['vite-imagetools', 'vite-imagetools 9 (imports only)'],
]

/** The cells of the first rows of Markdown that begin with the words. */
function cellsOf(page, ...words) {
  const row = page.split('\n').find((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return words.every((word, at) => cells[at + 1] === word)
  })
  if (row === undefined) throw new Error(`bench/README.md has no row of ${words.join(', ')}.`)
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Makes the table from the text of bench/README.md. */
export function benchTable(page) {
  const [, site] = /<!-- site:start -->([^]*?)\*\*webpack/.exec(page) ?? []
  if (site === undefined) throw new Error('bench/README.md has no results of a site on Vite.')
  const [first, ...images] = site.split(/^\| images /m)
  const rows = TOOLS.map(([tool, shown]) => {
    const warm = cellsOf(first, tool, 'warm')
    const [, , share, larger, , damaged, , , lowest] = cellsOf(images.join('\n'), tool)
    const isPlain = tool === 'no plugin'
    const cells = [
      isPlain ? '100 %' : share,
      isPlain ? '100' : lowest,
      isPlain ? '–' : larger,
      isPlain ? '–' : damaged,
      isPlain ? '1×' : warm[3],
    ]
    return [shown, ...(tool === 'pixpress' ? cells.map((cell) => `**${cell}**`) : cells)]
  })
  return table(
    ['built with', 'bytes of the images', 'lowest score', 'larger than the source', 'damaged', 'warm build'],
    rows,
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bench = benchTable(await readFile(path.join(root, 'bench/README.md'), 'utf8'))
  for (const name of PAGES) {
    const file = path.join(root, name)
    await writeFile(file, withTables(await readFile(file, 'utf8'), { bench }))
  }
}
