/**
 * Puts every image below a folder through the engine and writes what became of it to docs/conformance.md.
 *
 * node --conditions=dev scripts/conformance.mjs FOLDER
 *
 * Each still image is converted to lossless PNG (or WebP) and compared with what its format's own program decodes
 * (djpeg, dwebp, avifdec, djxl). Runs the sources as they are, so it needs a Node that reads TypeScript (22.18 or
 * later).
 */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = path.resolve(import.meta.dirname, '..')
const DOCUMENT = path.join(ROOT, 'docs/conformance.md')

/**
 * Pictures that two decoders read alike differ by less, in levels of 255 on average: by rounding and chroma upsampling.
 */
const ALIKE = 1

const SKIPPED = /\.(?:md|json|txt)$/

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Usage: node --conditions=dev scripts/conformance.mjs FOLDER')
  process.exit(2)
}

const require = createRequire(path.join(ROOT, 'packages/core/package.json'))
const { PixpressError, createOptimizer, detectType } = await import(
  pathToFileURL(require.resolve('@pixpress/core')).href
)
const { DECODERS, decodeIndependently, detect, findTool, toPixels } = await import(
  pathToFileURL(require.resolve('@pixpress/testkit')).href
)

const optimizer = createOptimizer({ concurrency: 2 })
const sets = new Map()
for (const file of await filesBelow(folder)) {
  const [set] = file.split('/')
  const outcomes = sets.get(set) ?? []
  outcomes.push({ file, ...(await judge(await readFile(path.join(folder, file)))) })
  sets.set(set, outcomes)
}
await optimizer.close()
await writeFile(DOCUMENT, `${render(sets)}\n`)
process.stdout.write(`${DOCUMENT}\n`)

async function filesBelow(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !SKIPPED.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}

/**
 * `decoded`, with how far it is from another decoder's picture where there is one; `kept` as it is; or `refused`, and
 * why.
 */
async function judge(source) {
  try {
    const { frames } = await optimizer.probe(source)
    if (frames > 1 || detectType(source) === 'image/gif') {
      const { notes } = await optimizer.optimize(source)
      const note = notes.find((each) => each.includes('passed through'))
      return note === undefined ? { outcome: 'decoded' } : { outcome: 'kept', reason: note }
    }
    // A PNG would be kept as it is.
    const type = detectType(source) === 'image/png' ? 'image/webp' : 'image/png'
    const { data } = await optimizer.optimize(source, { convert: { type }, quality: 100 })
    return { outcome: 'decoded', difference: await differenceFrom(source, data) }
  } catch (error) {
    if (error instanceof PixpressError && error.code === 'UNSUPPORTED_OPERATION')
      return { outcome: 'kept', reason: error.message }
    if (error instanceof PixpressError && error.status < 500)
      return { outcome: 'refused', reason: `${error.code}: ${error.message}` }
    return { outcome: 'failed', reason: String(error) }
  }
}

/** The mean absolute difference of all samples, in levels of 255; `undefined` where no other program can judge. */
async function differenceFrom(source, lossless) {
  const tool = DECODERS[detect(source)]
  if (tool === undefined || findTool(tool) === undefined || !isComparable(source)) return undefined
  const expected = await decodeIndependently(source)
    // A file that the other program refuses and ours reads has no second opinion.
    .catch(() => undefined)
  if (expected === undefined) return undefined
  const actual = await toPixels(lossless)
  if (actual.width !== expected.width || actual.height !== expected.height) return Infinity
  let sum = 0
  for (let at = 0; at < actual.pixels.length; at += 4) {
    // A fully transparent pixel has no colour.
    if (actual.pixels[at + 3] === 0 && expected.pixels[at + 3] === 0) continue
    for (let channel = 0; channel < 4; channel++)
      sum += Math.abs(actual.pixels[at + channel] - expected.pixels[at + channel])
  }
  return sum / actual.pixels.length
}

/** A section that names files; nothing where there are none. */
function section(title, text, chosen, line) {
  return chosen.length === 0 ? [] : ['', `## ${title}`, '', text, '', ...chosen.map(line)]
}

function reasoned({ file, reason }) {
  return `- \`${file}\`: ${reason}`
}

/** The files of each reason in one line, as there are many of the same. */
function byReason(outcomes) {
  const reasons = Map.groupBy(outcomes, ({ reason }) => reason)
  return [...reasons].map(([reason, files]) => ({ file: files.map(({ file }) => file).join('`, `'), reason }))
}

/**
 * Tells whether the other program means to show the same: sharp, which reads PNG for it, takes neither colours
 * described without a profile nor the animation into account, djpeg has no colour management for CMYK, and avifdec
 * turns nothing when it writes PNG.
 */
function isComparable(source) {
  const head = source.subarray(0, 4096).toString('latin1')
  const type = detectType(source)
  if (type === 'image/png') return !/gAMA|cHRM|cICP|acTL/.test(head.split('IDAT')[0])
  if (type === 'image/avif') return !/irot|imir/.test(head)
  return type !== 'image/jpeg' || !isCmyk(source)
}

/** Tells whether the frame header (ITU-T T.81, B.2.2) has four components. */
function isCmyk(source) {
  for (let at = 2; at + 9 < source.length && source[at] === 0xff;) {
    const marker = source[at + 1]
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return source[at + 9] === 4
    at += marker === 0xff ? 1 : 2 + source.readUInt16BE(at + 2)
  }
  return false
}

function render(outcomesOf) {
  const all = [...outcomesOf.values()].flat()
  const rows = [...outcomesOf].map(([set, outcomes]) => {
    const count = (name) => outcomes.filter(({ outcome }) => outcome === name).length
    const compared = outcomes.filter(({ difference }) => difference !== undefined)
    const alike = compared.filter(({ difference }) => difference < ALIKE)
    return `| ${set} | ${outcomes.length} | ${count('decoded')} | ${count('kept')} | ${count('refused')} | ${count('failed')} | ${alike.length} of ${compared.length} |`
  })
  const of = (name) => all.filter(({ outcome }) => outcome === name)
  return [
    '# Conformance',
    '',
    'What becomes of files that use the corners of their formats: those of libpng, PngSuite, Pillow, Go, giflib, libwebp and',
    'libjpeg-turbo, and ones made for the purpose. Written by `scripts/conformance.mjs`.',
    '',
    '**Decoded** files are optimised. **Kept** ones are passed through without their metadata, with a note. **Refused** ones are',
    'named in a warning, and the original is used. **Alike** is how many differ by less than one level of 255 on average from',
    "what the format's own program decodes: djpeg, dwebp, avifdec, djxl; PNG is checked by pngcheck and read by sharp. Left out are",
    'files that these show otherwise on purpose: CMYK, AVIF that is rotated, and PNG with `gAMA`, `cHRM` or `cICP`.',
    '',
    '| set | files | decoded | kept | refused | failed | alike |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    ...section('Refused', 'With the reason as users read it.', of('refused'), reasoned),
    ...section('Kept as they are', 'With the note.', byReason(of('kept')), reasoned),
    ...section('Failed', 'These are faults of pixpress.', of('failed'), reasoned),
    ...section(
      'Decoded otherwise',
      'Files that the other program decodes to something else, with the mean difference in levels of 255.',
      all.filter(({ difference }) => difference >= ALIKE),
      ({ file, difference }) => `- \`${file}\`: ${difference === Infinity ? 'another size' : difference.toFixed(1)}`,
    ),
  ].join('\n')
}
