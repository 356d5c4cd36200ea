import { createOptimizer, PixpressError } from '../../packages/core/dist/bundle/index.js'
import { readLockText } from '../../packages/core/dist/bundle/internal.js'
import { parseDirectives } from '../../packages/unplugin/dist/directives/parse.js'
import { parseQuery } from '../../packages/unplugin/dist/directives/query.js'
import { headOfJpeg, mendPng, profileOfJpeg } from './mutate.mjs'

/** Bounds of one case: a file of the corpus takes a hundredth of each. */
const LIMITS = { maxBytes: 1_000_000, maxPixels: 2_000_000, maxFrames: 64, timeout: 20_000 }

const optimizer = createOptimizer({ cache: false, concurrency: 1, limits: LIMITS })

/** Requests, of which each picture gets one: all ways into a decoder, and most of those that only rewrite. */
const REQUESTS = [
  { resize: { method: 'fit', width: 24, height: 24 }, convert: { type: 'image/png' } },
  { resize: { method: 'scale', width: 16 }, convert: { type: 'image/jpeg' }, background: '#fff' },
  { convert: { type: 'image/webp' }, effort: 'fast', quality: 50 },
  { lossless: true, effort: 'fast' },
  { preserve: ['copyright', 'creation', 'location'], effort: 'fast' },
]

/** Reads the header, then works on the picture. */
async function picture(bytes, random) {
  const operations = random.pick(REQUESTS)
  await accepted(() => optimizer.probe(bytes, { file: 'case' }))
  await accepted(async () => {
    const { data, info } = await optimizer.optimize(bytes, operations, { file: 'case' })
    if (info.size !== data.length) throw new Error(`the result has ${data.length} bytes and says ${info.size}`)
    if (operations.convert === undefined && data.length > bytes.length)
      throw new Error(`the result has ${data.length} bytes, and its source ${bytes.length}`)
    if (info.width * info.height > LIMITS.maxPixels)
      throw new Error(`the result has ${info.width} × ${info.height} pixels`)
  })
}

/** Reads the directives of an import. The name of a preset is not one: it is looked up before. */
function readQuery(query) {
  const { directives } = parseQuery(query)
  parseDirectives(new Map([...directives].filter(([name]) => name !== 'preset')))
}

/**
 * Lets those errors pass that say what is wrong with a file. One that took too long, an unexpected one and any other
 * than the project's own are findings.
 */
async function accepted(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PixpressError) || error.code === 'INTERNAL' || error.code === 'TIMEOUT') throw error
    if (/\n|\bat \w+ \(|undefined|\[object/.test(error.message))
      throw new Error(`unreadable: ${error.message}`, { cause: error })
  }
}

const FIXTURES = 'packages/core/test/fixtures'

/**
 * A way into a decoder or a parser.
 * @typedef {object} Target
 * @property {readonly [folders: string, ending: RegExp]} corpus the files that are damaged
 * @property {number} cases so many every run of the tests takes
 * @property {(bytes: Buffer, random: ReturnType<typeof import('./random.mjs').randomOf>) => Promise<void>} work
 * @property {(bytes: Buffer) => number[]} [region]
 * @property {(bytes: Buffer) => Buffer} [mend]
 * @property {readonly string[]} [words] with `region` and `mend`: how a file is damaged, see `Damage` in mutate.mjs
 */

/**
 * A row for each target.
 * @type {Readonly<Record<string, Target>>}
 */
export const TARGETS = {
  jpeg: { corpus: [FIXTURES, /\.jpe?g$/], cases: 50, work: picture },
  png: {
    corpus: [`${FIXTURES}/{properties,conformance,meaning,guards}`, /\.png$/],
    mend: mendPng,
    cases: 50,
    work: picture,
  },
  apng: { corpus: [`${FIXTURES}/apng`, /\.png$/], mend: mendPng, cases: 30, work: picture },
  webp: { corpus: [FIXTURES, /\.webp$/], cases: 50, work: picture },
  avif: { corpus: [FIXTURES, /\.avif$/], cases: 50, work: picture },
  jxl: { corpus: [FIXTURES, /\.jxl$/], cases: 30, work: picture },
  gif: { corpus: [FIXTURES, /\.gif$/], cases: 30, work: picture },
  svg: {
    corpus: [`${FIXTURES}/svg`, /\.svg$/],
    words: [
      '<g>',
      '</svg>',
      '<!ENTITY a "&b;">',
      '<![CDATA[',
      'url(#a)',
      '&#x0;',
      'style="',
      '1e999',
      'transform="matrix(',
      '<use href="#a"/>',
    ],
    cases: 100,
    work: picture,
  },
  tiff: { corpus: [`${FIXTURES}/inputs`, /\.tif$/], cases: 50, work: picture },
  bmp: { corpus: [`${FIXTURES}/inputs`, /\.bmp$/], cases: 50, work: picture },
  heic: { corpus: [`${FIXTURES}/inputs`, /\.heic$/], cases: 50, work: picture },
  metadata: { corpus: [`${FIXTURES}/metadata`, /\.jpg$/], region: headOfJpeg, cases: 50, work: picture },
  icc: { corpus: [`${FIXTURES}/properties`, /(?:icc-p3|cmyk)\.jpg$/], region: profileOfJpeg, cases: 30, work: picture },
  lock: {
    corpus: ['test/fuzz/corpus', /\.lock$/],
    words: ['\n', '\t', ' ', '<<<<<<<', '=======', '"', '\\u0000', '../', 'sha256:'],
    cases: 500,
    work: (bytes) => accepted(() => readLockText(bytes.toString('utf8'), 'pixpress.lock')),
  },
  directives: {
    corpus: ['test/fuzz/corpus', /\.query$/],
    words: ['&', ';', '=', '%', '%zz', 'w=', 'format=', '-1', '1e9', 'auto', 'as=picture', '[]', '__proto__='],
    cases: 500,
    work: (bytes) => accepted(() => readQuery(bytes.toString('utf8'))),
  },
}
