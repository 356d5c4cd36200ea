import { readFile, writeFile } from 'node:fs/promises'

const README = new URL('../README.md', import.meta.url)

/**
 * Writes a result between the markers `<!-- name:start -->` and `<!-- name:end -->` of this folder's README, or of
 * another file.
 */
export async function updateReadme(name, markdown, file = README) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${file.pathname} has no markers ${start} and ${end} in this order.`)
  await writeFile(file, `${text.slice(0, from + start.length)}\n\n${markdown}\n\n${text.slice(to)}`)
}
