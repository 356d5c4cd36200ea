/** Tests the guards with pairs of source and result that people have judged: how many are refused? See README.md. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { kindOf, makeCandidate, openSource, readLabels } from './guards/pairs.mjs'
import { writeSheets } from './guards/sheets.mjs'

const USAGE = `Makes every labelled pair again from its recipe, and counts what the guards refuse.

  node guards.mjs [options]

  --promise N      the score that limits are for (default 80)
  --only NAME      pairs of which source, candidate or fault contain this
  --sheets FOLDER  writes what was compared on contact sheets, source beside result
  --quiet          prints the table of verdicts only`

const LABELS = path.join(import.meta.dirname, 'guards/labels.tsv')
const CORE = path.join(import.meta.dirname, '../packages/core/src')
/** Number of guards that are reported for each pair, the worst first. */
const SHOWN = 4
const VERDICTS = ['bad', 'noticeable', 'clean']

const options = readOptions()
const [guards, pictures, resultKinds, quantiser, metric, twice] = await Promise.all(
  [
    'quality/guards/index.ts',
    'encoding/picture.ts',
    'encoding/result-kind.ts',
    'encoding/quantiser.ts',
    'quality/metric/ssimulacra2.ts',
    'quality/guards/twice.ts',
  ].map(async (file) => (await runnerImport(path.join(CORE, file))).module),
)

const pairs = []
for (const label of await readLabels(LABELS)) {
  const text = `${label.source} ${label.candidate} ${label.fault}`
  if (!text.includes(options.only)) continue
  pairs.push(await judge(label))
}
for (const pair of pairs) if (!options.quiet) console.log(describe(pair))
printVerdicts(pairs)
if (options.sheets !== undefined) {
  const rows = pairs.map((pair) => ({ ...pair, ground: pair.label.ground, caption: describe(pair) }))
  const files = await writeSheets(rows, options.sheets)
  console.log(`${files.length} sheets in ${options.sheets}`)
}

async function judge(label) {
  const before = await openSource(label.source, label.crop)
  const after = await makeCandidate(before, label.candidate, quantiser.createQuantiser)
  const kind = kindOf(label.candidate, resultKinds.blockKindOf(pictures.createPicture(before.whole)))
  const ofPicture = guards.createGuards(before, { side: before.side })
  const measures = ofPicture.measure(after, kind)
  ofPicture.dispose()
  const refused = guards.violations(measures, options.promise, kind)
  const isJudgedTwice = twice.isJudgedTwice(before)
  if (isJudgedTwice && metric.ssimulacra2(twice.enlargeTwice(before), twice.enlargeTwice(after)) < options.promise) {
    refused.push('twice')
  }
  const shares = guards.shares(measures, options.promise, kind)
  return { label, before, after, kind, refused, shares, score: metric.ssimulacra2(before, after) }
}

function describe({ label, kind, refused, shares, score }) {
  const largest = Object.entries(shares).sort((a, b) => b[1] - a[1])
  const most = largest.slice(0, SHOWN).map(([guard, share]) => `${guard} ${share.toFixed(2)}`)
  const said = refused.length > 0 ? `refused by ${refused.join(', ')}` : 'passes'
  return [
    label.verdict,
    label.source,
    label.crop,
    label.candidate,
    kind,
    score.toFixed(1),
    most,
    said,
    label.seen,
  ].join('  ')
}

function printVerdicts(all) {
  const kinds = ['palette', 'block', 'photograph']
  console.log(['refused / all', ...VERDICTS].join('\t'))
  for (const kind of [...kinds, 'all']) {
    const of = all.filter((pair) => kind === 'all' || pair.kind === kind)
    const cells = VERDICTS.map((verdict) => {
      const some = of.filter(({ label }) => label.verdict === verdict)
      return `${some.filter(({ refused }) => refused.length > 0).length}/${some.length}`
    })
    console.log([kind, ...cells].join('\t'))
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        promise: { type: 'string', default: '80' },
        only: { type: 'string', default: '' },
        sheets: { type: 'string' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    const promise = Number(values.promise)
    if (!(promise > 0)) throw new Error(`--promise takes a number above 0, not '${values.promise}'.`)
    return { ...values, promise, sheets: values.sheets && path.resolve(values.sheets) }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
