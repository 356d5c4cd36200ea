/**
 * Runs vite-imagetools and pixpress on the same queries, and writes the tables of
 * docs/migrating-from-vite-imagetools.md: queries that work alike, that differ by design and that are refused. A
 * difference without a reason is an error. Run it after `pnpm build`:
 *
 * node scripts/imagetools-table.mjs [a folder in which vite-imagetools 12 is installed]
 *
 * Without a folder it is installed from npm into a temporary one.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { IMAGETOOLS_DIRECTIVES, OPTIONS, OWN_DIRECTIVES, QUERIES } from './imagetools/queries.mjs'
import { table, withTables } from './options-docs.mjs'

const PAGE = new URL('../docs/migrating-from-vite-imagetools.md', import.meta.url)

const VERDICTS = ['alike', 'by design', 'refused']

/** Differences of a picture from the usual one, which is opaque and has 120 × 90 pixels. */
const OF = { clear: ' of a transparent image', middle: ' of 320 × 240 pixels' }

/** Rows of one directive stand together, in the order of imagetools' documentation. */
export function render(rows) {
  const ordered = IMAGETOOLS_DIRECTIVES.flatMap((directive) => rows.filter((row) => row.directive === directive))
  const counted = (key) =>
    VERDICTS.map((verdict) => `${ordered.filter((row) => row[key] === verdict).length} ${verdict}`).join(', ')
  const shown = ordered.map(({ directive, query, source, verdict, compat, reason }) => [
    `\`${directive}\``,
    `\`?${decodeURIComponent(query)}\`${OF[source] ?? ''}`,
    verdict,
    compat,
    reason ?? '',
  ])
  const own = Object.entries(OWN_DIRECTIVES).map(([directive, reason]) => [
    `\`${directive}\``,
    '',
    "pixpress' own",
    "pixpress' own",
    reason,
  ])
  return {
    imagetools: `${ordered.length} queries: ${counted('verdict')}, 0 unexplained; with \`compat\` ${counted('compat')}, 0 unexplained.\n\n${table(['directive', 'query', 'works', 'with `compat`', 'what differs'], [...shown, ...own])}`,
    'imagetools-options': table(
      ['option of vite-imagetools', 'works', 'in pixpress'],
      OPTIONS.map(([name, ...rest]) => [`\`${name}\``, ...rest]),
    ),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { difference, run, writeSources } = await import('./imagetools/run.mjs')
  const root = await mkdtemp(path.join(tmpdir(), 'pixpress-imagetools-'))
  const installed = process.argv[2] ?? install(root)
  const theirs = createRequire(path.join(path.resolve(installed), 'package.json'))
  const { imagetools } = await import(pathToFileURL(theirs.resolve('vite-imagetools')).href)
  const { default: pixpress } = await import('../packages/unplugin/dist/bundle/vite.js')
  await writeSources(root)
  const rows = []
  const problems = []
  for (const { directive, query, source = 'photo', design, refused, means = false, compat: declared } of QUERIES) {
    const one = await run(root, query, source, imagetools({ cache: { enabled: false, dir: path.join(root, 'cache') } }))
    const other = await run(root, query, source, pixpress({ cache: false, report: false }))
    const found = difference(one, other)
    const isRefused = other.error !== undefined
    const verdict = isRefused ? 'refused' : found === undefined && !means ? 'alike' : 'by design'
    const reason = isRefused ? refused : design
    if ((found === undefined && !means) !== (reason === undefined)) {
      problems.push(`?${query}: ${found ?? 'nothing differs'}; the reason given is ${reason ?? 'none'}.`)
    }
    const third = await run(root, query, source, pixpress({ cache: false, report: false, compat: 'imagetools' }))
    const remains = difference(one, third)
    const compat = third.error !== undefined ? 'refused' : remains === undefined ? 'alike' : 'by design'
    if (compat !== (declared ?? verdict)) {
      problems.push(
        `?${query} with compat: ${compat} (${remains ?? 'nothing differs'}), and ${declared ?? verdict} is declared.`,
      )
    }
    process.stdout.write(`${verdict.padEnd(9)} ?${query}${found === undefined ? '' : ` (${found})`}\n`)
    rows.push({ directive, query, source, verdict, compat, reason })
  }
  if (problems.length > 0) throw new Error(`Unexplained:\n${problems.join('\n')}`)
  await writeFile(PAGE, withTables(await readFile(PAGE, 'utf8'), render(rows)))
}

function install(folder) {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'vite-imagetools@12', 'vite@8'], {
    stdio: 'inherit',
  })
  return folder
}
