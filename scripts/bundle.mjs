import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import {
  COMPRESSED_TYPES,
  EXTENSIONS,
  INPUT_TYPES,
  WILDCARD_TYPES,
  factsOf,
} from '../packages/core/dist/base/formats.js'
import { root } from './bootstrap.mjs'
import { writeEndings } from './client-types.mjs'
import { takeNamesEarly, takeNamesLate } from './late-names.mjs'

// All packages, or those that are named (`node scripts/bundle.mjs core unplugin`).
const NAMED = process.argv.slice(2)
const isWanted = (name) => NAMED.length === 0 || NAMED.includes(name)

/** The entries of private packages that the command is made of besides its own modules. */
const INSIDE_CLI = new Map([
  ['@pixpress/audit', { entry: 'audit', file: 'audit/dist/index.js' }],
  ['@pixpress/batch', { entry: 'batch', file: 'batch/dist/index.js' }],
  ['@pixpress/migrate', { entry: 'migrate', file: 'migrate/dist/index.js' }],
  ['@pixpress/migrate/init', { entry: 'init', file: 'migrate/dist/init/index.js' }],
  ['@pixpress/migrate/script', { entry: 'script', file: 'migrate/dist/script/index.js' }],
])

// The bundles. Loading a hundred small modules takes Node longer than all that a warm build does to an image or two
// hundred, so the entries that every build loads are one file each, and so are a thread and the process of threads,
// which are looked for beside the entries. Modules that they load later (`import()`) become a chunk of their own;
// dependencies stay imports, but for those named here.
const BUNDLES = [
  {
    folder: 'core',
    entries: {
      index: 'index',
      internal: 'internal',
      report: 'report/index',
      worker: 'engines/local/worker',
      host: 'engines/local/host',
    },
    together: ['index', 'internal', 'report'],
  },
  // The plugin for Vite uses little of unplugin, and is a bundle apart from that of all: it loads in 4 ms instead of
  // 22.
  {
    folder: 'unplugin',
    entries: { vite: 'vite' },
    together: ['vite'],
    // So are those that pages and scripts are read with: parse5 alone is twenty modules.
    inside: /^(?:unplugin|parse5|entities|js-tokens|magic-string|picomatch|@jridgewell\/[\w-]+)(?:\/|$)/,
    // unplugin has it for bundlers without filters of their own.
    lazily: /^picomatch$/,
    first: 'base/same-release.js',
  },
  {
    folder: 'unplugin',
    entries: { index: 'index' },
    first: 'base/same-release.js',
    // A module that knows its own place stays there.
    outside: { id: /[\\/]loader-paths\.[jt]s$/, path: '../bundlers/webpack-like/loader-paths.js' },
  },
  // Private packages become a part of the command.
  {
    folder: 'cli',
    entries: Object.fromEntries(
      [...INSIDE_CLI.values()].map(({ entry, file }) => [entry, `../../${file.replace(/\.js$/, '')}`]),
    ),
    inside: /^@pixpress\/(?:audit|batch|migrate)(?:\/|$)/,
  },
]

const folderOf = (name) => path.join(root, 'packages', name, 'dist', 'bundle')

const bundles = BUNDLES.filter(({ folder }) => isWanted(folder))
for (const { folder } of bundles) rmSync(folderOf(folder), { recursive: true, force: true })
for (const { folder, entries, together = [], inside, outside, lazily, first } of bundles) {
  const kin = kinOf(entries, together)
  const cwd = path.join(root, 'packages', folder)
  const dir = folderOf(folder)
  const bundle = await rolldown({
    cwd,
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `dist/${file}.js`])),
    external: (id) => !/^[.\0]/.test(id) && !path.isAbsolute(id) && inside?.test(id) !== true,
    platform: 'node',
    logLevel: 'warn',
    // Some adapters need at once what others load when they need it.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      { name: 'early-names', transform: { filter: { id: /[\\/]dist[\\/]/ }, handler: (code) => takeNamesEarly(code) } },
      outside && {
        name: 'outside',
        resolveId: { filter: { id: outside.id }, handler: () => ({ id: outside.path, external: true }) },
      },
      kin.plugin,
      lazily && {
        name: 'lazily',
        resolveId: { filter: { id: lazily }, handler: (id) => `\0${id}` },
        load: { filter: { id: /^\0/ }, handler: (id) => functionOf(id.slice(1)) },
      },
      // A chunk that is loaded before the entry's own code may need names that only the same release has.
      first && {
        name: 'first',
        resolveId: { filter: { id: /\/same-release\.js$/ }, handler: () => ({ id: `../${first}`, external: true }) },
      },
    ],
  })
  const { output } = await bundle.write({
    dir,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...(together.length > 0 && { codeSplitting: { groups: kin.groups } }),
    ...(first && { banner: `import "../${first}";` }),
  })
  await bundle.close()
  writeLicences(
    dir,
    output.flatMap(({ moduleIds = [] }) => moduleIds),
  )
}

for (const name of ['unplugin', 'server', 'cli', 'astro', 'nuxt'].filter(isWanted)) {
  const dist = path.join(root, 'packages', name, 'dist')
  for (const file of readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.js'))) {
    const code = readFileSync(path.join(dist, file), 'utf8')
    const changed = takeNamesLate(name === 'cli' ? withInside(code, file) : code)
    if (changed !== code) writeFileSync(path.join(dist, file), changed)
  }
}

// Declarations of the command's inner modules that name a private package are for nobody: no entry leads to them.
if (isWanted('cli')) {
  const cliDist = path.join(root, 'packages', 'cli', 'dist')
  for (const file of readdirSync(cliDist, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    if (/(["'])@pixpress\/(?:audit|batch|migrate)\b/.test(readFileSync(path.join(cliDist, file), 'utf8')))
      rmSync(path.join(cliDist, file))
  }
}

/**
 * Puts the modules that some entries need at once into one chunk, and those of them that others need as well into a
 * second. The bundler would make a chunk for each set of entries and chunks that share a module, and Node takes longer
 * to find and link ten files than to read all that is in them.
 */
function kinOf(entries, together) {
  const needed = { together: new Set(), others: new Set() }
  return {
    plugin: {
      name: 'kin',
      buildEnd() {
        for (const id of this.getModuleIds()) {
          if (!this.getModuleInfo(id).isEntry) continue
          const name = Object.keys(entries).find((each) => id.endsWith(path.join('dist', `${entries[each]}.js`)))
          addNeeded(this, id, together.includes(name) ? needed.together : needed.others)
        }
      },
    },
    // A group takes along whatever its modules import, unless another was before it.
    groups: [
      { name: 'shared', priority: 2, test: (id) => needed.together.has(id) && needed.others.has(id) },
      { name: 'own', priority: 1, test: (id) => needed.together.has(id) },
    ],
  }
}

function addNeeded(context, id, needed) {
  if (needed.has(id)) return
  needed.add(id)
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) addNeeded(context, imported, needed)
}

/** A module with the function that a CommonJS module is, which is loaded when it is called. */
function functionOf(name) {
  return `import { createRequire } from 'node:module'
export default (...given) => createRequire(import.meta.url)('${name}')(...given)
`
}

/** A module of the command with its imports of private packages replaced by those of their bundles. */
function withInside(code, file) {
  const toBundle = path.posix.relative(path.dirname(file).split(path.sep).join('/'), 'bundle')
  return code.replace(/(?<=(?:from |import\()(["']))@pixpress\/(?:audit|batch|migrate)[\w/]*(?=\1)/g, (specifier) => {
    const inside = INSIDE_CLI.get(specifier)
    if (inside === undefined) throw new Error(`${file} of the command imports '${specifier}', which is not bundled.`)
    return `${toBundle}/${inside.entry}.js`
  })
}

/** Puts the licence of every package of which something was bundled beside the bundle. */
function writeLicences(dir, modules) {
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
  for (const folder of packages) {
    const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const licence = readFileSync(path.join(folder, 'LICENSE'), 'utf8')
    writeFileSync(path.join(dir, `${name.replace('/', '-')}.LICENSE`), `Of the package ${name}:\n\n${licence}`)
  }
}

if (isWanted('unplugin')) await writeEndings()

const pageOf = (name) => path.join(root, 'packages', name, 'page')
const textOf = (...parts) => readFileSync(path.join(...parts), 'utf8')

/** The style that all pages begin with. */
const FACE = ['tokens', 'components', 'compare', 'measures']
  .map((name) => textOf(root, 'packages/face/style', `${name}.css`))
  .join('')

/** Joins a page's script with all that it needs. */
async function writeScript(name, entries, { dirs, format = 'es', ...settings }) {
  const made = await rolldown({
    cwd: pageOf(name),
    input: entries,
    platform: 'browser',
    // `npm start` installs no dependencies for development, which would link it.
    resolve: { alias: { '@pixpress/face': path.join(root, 'packages/face/src/index.ts') } },
    tsconfig: false,
    logLevel: 'warn',
    ...settings,
  })
  for (const dir of dirs) await made.write({ dir, format, entryFileNames: '[name].js', minify: true })
  await made.close()
}

/** Makes a folder for what a page is built to, without what was there before. */
function emptied(name) {
  const folder = path.join(root, 'packages', name, 'dist', 'page')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

const labelOf = (type) => factsOf(type).label

const PAGES = { server: writeServerPage, core: writeReportPage, audit: writeAuditPage, unplugin: writeInspectorPage }
for (const [name, write] of Object.entries(PAGES)) if (isWanted(name)) await write()

/** Writes one script and one style. The types of its options and names are the engine's. */
async function writeServerPage() {
  const output = emptied('server')
  const types = INPUT_TYPES.map((type) => [type, { label: labelOf(type), extension: EXTENSIONS[type] }])
  await writeScript(
    'server',
    { page: 'main.ts' },
    { dirs: [output], transform: { define: { TYPES: JSON.stringify(Object.fromEntries(types)) } } },
  )
  writeFileSync(path.join(output, 'page.css'), FACE + textOf(pageOf('server'), 'page.css'))
  const page = fill(textOf(pageOf('server'), 'index.html'), {
    '<!-- types -->': WILDCARD_TYPES.map((type) => `<option value="${type}">${labelOf(type)}</option>`).join(''),
    '<!-- formats -->': new Intl.ListFormat('en-GB').format(COMPRESSED_TYPES.map(labelOf)),
    ACCEPTED_TYPES: COMPRESSED_TYPES.join(','),
  })
  writeFileSync(path.join(output, 'index.html'), page)
}

/** Writes the parts of the HTML report, which packages/core/src/report/page.ts puts into one document. */
async function writeReportPage() {
  const output = emptied('core')
  await writeScript('core', { report: 'main.ts' }, { dirs: [output] })
  writeFileSync(path.join(output, 'report.css'), FACE + textOf(pageOf('core'), 'page.css'))
}

/** Writes the script that the command's audit runs inside of pages, for the sources and for the command. */
async function writeAuditPage() {
  const dirs = ['audit', 'cli'].map((name) => path.join(root, 'packages', name, 'dist/page'))
  await writeScript('audit', { page: 'main.ts' }, { dirs, format: 'iife' })
}

/** Writes the inspector of dev servers: its page is one document, and the overlay one script. */
async function writeInspectorPage() {
  const output = emptied('unplugin')
  for (const name of ['inspector', 'overlay'])
    await writeScript('unplugin', { [name]: `${name}.ts` }, { dirs: [output], moduleTypes: { '.css': 'text' } })
  const script = path.join(output, 'inspector.js')
  const page = fill(textOf(pageOf('unplugin'), 'index.html'), {
    '/* style */': FACE + textOf(pageOf('unplugin'), 'inspector.css'),
    '/* script */': readFileSync(script, 'utf8'),
  })
  writeFileSync(path.join(output, 'index.html'), page)
  rmSync(script)
}

/** Puts each text in the one place that is kept for it. */
function fill(template, texts) {
  return Object.entries(texts).reduce((filled, [place, text]) => {
    if (filled.split(place).length !== 2) throw new Error(`Expected '${place}' once in the page.`)
    return filled.replace(place, () => text)
  }, template)
}
