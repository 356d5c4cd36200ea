/**
 * The graph of a package's sources: files, the folders that they are in, and an arrow from each file to the files that
 * it imports. Types, `import()`, `typeof import()` and `new URL('./file.ts', import.meta.url)` count like any other
 * import, and no file is left out: browsers' scripts (`page/`) and WebAssembly (`assembly/`) stand beside `src/`.
 *
 * `node scripts/folder-graph.mjs` prints what each package's folders import; `--write` renews the pictures of
 * docs/architecture.md, which test/docs/folders.test.ts holds to be current.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The packages, with their folders from the top to the ground: a folder imports only folders that stand after it. `src`
 * stands for the loose files at the top. Packages whose order is not declared stand in `CIRCLES`, or have one folder.
 */
export const FLOORS = {
  core: [
    'page',
    'src',
    'src/machine',
    'src/lock',
    'src/report',
    'src/drafts',
    'src/project',
    'src/optimizer',
    'src/engines',
    'src/plan',
    'src/work',
    'src/placeholder',
    'src/cache',
    'src/objects',
    'src/formats',
    'src/encoding',
    'src/operations',
    'src/crop',
    'src/colour',
    'src/metadata',
    'src/resample',
    'src/quality',
    'src/options',
    'src/concurrency',
    'src/files',
    'src/net',
    'src/base',
    'assembly',
    'assembly/deflate',
    'assembly/lanes',
    'assembly/palette',
  ],
  unplugin: [
    'page',
    'src',
    'src/frameworks',
    'src/bundlers',
    'src/inspector',
    'src/advice',
    'src/templates',
    'src/modules',
    'src/copies',
    'src/session',
    'src/types',
    'src/directives',
    'src/textures',
    'src/references',
    'src/components',
    'src/base',
  ],
  server: [
    'page',
    'src',
    'src/backup',
    'src/keys',
    'src/delivery',
    'src/routes',
    'src/settings',
    'src/telemetry',
    'src/accounts',
    'src/source',
    'src/storage',
    'src/admission',
    'src/http',
  ],
  cli: [
    'src',
    'src/commands',
    'src/check',
    'src/renew',
    'src/batch',
    'src/compress',
    'src/doctor',
    'src/backup',
    'src/git',
    'src/completion',
    'src/base',
  ],
  audit: [
    'page',
    'src',
    'src/advice',
    'src/rules',
    'src/findings',
    'src/sources',
    'src/visit',
    'src/browser',
    'src/site',
  ],
  batch: ['src', 'src/queue', 'src/work', 'src/records', 'src/chunks', 'src/places'],
  migrate: ['src', 'src/init', 'src/project', 'src/tools', 'src/script'],
  face: ['src'],
  client: ['src/tinify', 'src', 'src/http', 'src/base'],
  astro: ['src'],
  nuxt: ['src'],
  testkit: ['src'],
}

/** Folders that still import each other in a circle. The list only shrinks, and nothing is ever added to it. */
export const CIRCLES = {}

/** Files that still import each other in a circle; this list only shrinks as well. */
export const FILE_CIRCLES = {}

/** The folders of a package that hold sources. */
const SOURCES = ['src', 'page', 'assembly']

/**
 * Reads a package's sources.
 * @param folder the package's folder
 * @returns a map from each file, relative to the package, to the files that it imports
 * @throws Error for a relative import of a file that is not there
 */
export function readFiles(folder) {
  const files = SOURCES.filter((each) => existsSync(path.join(folder, each))).flatMap((sources) =>
    readdirSync(path.join(folder, sources), { recursive: true })
      .map((file) => path.posix.join(sources, file.split(path.sep).join('/')))
      .filter((file) => /\.[mc]?[jt]sx?$/.test(file) && !file.includes('node_modules/')),
  )
  const known = new Set(files)
  return new Map(files.sort().map((file) => [file, importedFiles(folder, file, known)]))
}

function importedFiles(folder, file, known) {
  const specifiers = specifiersOf(readFileSync(path.join(folder, file), 'utf8'), file)
  const imported = specifiers.filter((each) => /^\.\.?\//.test(each)).map((each) => resolved(each, file, folder, known))
  return new Set(imported.filter((each) => each !== undefined && each !== file))
}

/** AssemblyScript leaves `.ts` out, and built modules are named by the file that they are built from. */
function resolved(specifier, file, folder, known) {
  const plain = path.posix.join(path.posix.dirname(file), specifier.replace(/[?#].*$/, ''))
  const found = [plain, `${plain}.ts`, plain.replace(/\.js$/, '.ts'), `${plain}/index.ts`].find((each) =>
    known.has(each),
  )
  // Manifests, stylesheets and folders are no sources; a script that is named and absent would be a hole in the graph.
  if (found !== undefined || !/\.[mc]?[jt]s$/.test(plain) || existsSync(path.join(folder, plain))) return found
  return OUTSIDE.test(plain) ? undefined : fail(`${file} imports ${specifier}, which is not there.`)
}

/** Files that a build makes, which stand in no folder of sources. */
const OUTSIDE = /^(?:\.\.|dist)\//

function fail(message) {
  throw new Error(message)
}

/** The specifiers of all modules that a source names, in the order of the text. */
function specifiersOf(code, file) {
  const found = []
  // AssemblyScript's decorators of functions (`@inline`) are no TypeScript, and name no module.
  const script = code.replaceAll(/^\s*@\w+(?:\([^)]*\))?$/gm, '')
  visit(parseAst(script, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const source = SPECIFIER[node.type]?.(node)
    if (typeof source?.value === 'string') found.push(source.value)
  })
  return found
}

const SPECIFIER = {
  ImportDeclaration: ({ source }) => source,
  ExportNamedDeclaration: ({ source }) => source,
  ExportAllDeclaration: ({ source }) => source,
  ImportExpression: ({ source }) => source,
  TSImportType: ({ source, argument }) => source ?? argument?.literal ?? argument,
  NewExpression: ({ callee, arguments: [first, second] }) =>
    callee.name === 'URL' && second?.object?.type === 'MetaProperty' ? first : undefined,
}

function visit(node, call) {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node)) {
    for (const each of node) visit(each, call)
    return
  }
  if (typeof node.type === 'string') call(node)
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value, call)
}

/** Returns the folder that a file is in: loose files of a folder are a node of their own beside its subfolders. */
export const folderOf = (file) => path.posix.dirname(file)

/** Groups the nodes of a graph, without arrows from a group to itself. */
export function grouped(graph, groupOf) {
  const groups = new Map()
  for (const [node, imported] of graph) {
    const own = groupOf(node)
    const arrows = groups.get(own) ?? new Set()
    groups.set(own, arrows)
    for (const each of imported) if (groupOf(each) !== own) arrows.add(groupOf(each))
  }
  return groups
}

/**
 * Finds the circles of a graph: sorted lists of nodes that reach each other (Tarjan's strongly connected components).
 */
export function circles(graph) {
  const order = new Map()
  const lowest = new Map()
  const open = []
  const found = []
  const walk = (node) => {
    order.set(node, order.size)
    lowest.set(node, order.get(node))
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) walk(next)
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== order.get(node)) return
    const circle = open.splice(open.indexOf(node))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) walk(node)
  return found.sort()
}

/** The folder right below the sources that a file is in; loose files of the sources are a node of their own. */
export const roomOf = (file) =>
  file
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/\/[^/]+\.[mc]?[jt]sx?$/, '')

/** Arrows that run up in a declared order of folders, and folders that the order does not have, as sentences. */
export function arrowsUp(rooms, floors) {
  const missing = [...rooms.keys()].filter((room) => !floors.includes(room)).map((room) => `${room} has no floor`)
  const up = [...rooms].flatMap(([room, imported]) =>
    [...imported].filter((each) => floors.indexOf(each) < floors.indexOf(room)).map((each) => `${room} → ${each}`),
  )
  return [...missing, ...up].sort()
}

/**
 * Leaves out arrows that other arrows come to as well, so that a picture can be read. Nodes of a circle keep theirs.
 */
function reduced(graph) {
  const reaches = (from, to, seen = new Set()) =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  const circular = new Set(circles(graph).flat())
  const isNeeded = (from, to) =>
    (circular.has(from) && circular.has(to)) ||
    ![...graph.get(from)].some(
      (other) => other !== to && !(circular.has(other) && circular.has(from)) && reaches(other, to),
    )
  return new Map([...graph].map(([from, imported]) => [from, [...imported].filter((to) => isNeeded(from, to)).sort()]))
}

const idOf = (room) => room.replaceAll(/\W/g, '_')

/** Draws a package's folders in Mermaid: an arrow stands for imports, also by way of other arrows. */
export function picture(name) {
  const rooms = grouped(readFiles(path.join(ROOT, 'packages', name)), roomOf)
  const nodes = [...rooms.keys()]
    .sort()
    .map((room) => `  ${idOf(room)}["${room === 'src' ? 'src: entries' : `${room}/`}"]`)
  const arrows = [...reduced(rooms)]
    .sort()
    .flatMap(([from, to]) => to.map((each) => `  ${idOf(from)} --> ${idOf(each)}`))
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```'].join('\n')
}

/** Puts the pictures into a text, in place of those between its marks. */
export function withPictures(text) {
  return text.replaceAll(/(<!-- folders of (\w+) -->\n)[^<]*(<!-- end -->)/g, (_, start, name, end) => {
    return `${start}\n${picture(name)}\n\n${end}`
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const page = path.join(ROOT, 'docs/architecture.md')
  if (process.argv.includes('--write')) writeFileSync(page, withPictures(readFileSync(page, 'utf8')))
  for (const name of Object.keys(FLOORS)) {
    const files = readFiles(path.join(ROOT, 'packages', name))
    const folders = grouped(files, folderOf)
    const arrows = [...folders.values()].reduce((sum, imported) => sum + imported.size, 0)
    console.log(`\n${name}: ${files.size} files in ${folders.size} folders, ${arrows} arrows between folders`)
    for (const circle of circles(folders)) console.log(`  circle: ${circle.join(', ')}`)
    for (const [folder, imported] of [...folders].sort())
      console.log(`  ${folder} → ${[...imported].sort().join(', ')}`)
  }
}
