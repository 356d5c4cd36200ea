import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './bootstrap.mjs'
import { importFrom } from './import-from.mjs'
import { packAll } from './release/pack.mjs'

// The size of the project: lines of code, words of documentation, and what a user installs. Prints Markdown.
// `--install` also packs and installs the built packages, from the registry, and takes a minute. `--write` writes all
// of it to scripts/size.md.
const { values } = parseArgs({ options: { install: { type: 'boolean' }, write: { type: 'boolean' } } })

/** Folders of a package whose files reach users. */
const PRODUCT = /^packages\/(?!testkit\/)([^/]+)\/(?:src|page|assembly|style|svelte)\//
const TESTS = /^packages\/([^/]+)\/test\//
const CODE = /\.(?:[cm]?[jt]sx?|css|html|svelte|sh)$/
const PRODUCT_CODE = /\.(?:tsx?|css|html|svelte)$/
/** WebAssembly as text, which packages/core/scripts/build-metric.mjs writes. */
const GENERATED = /\.wasm\.ts$/

/** Packages that users install by name. */
const INSTALLED = ['unplugin-pixpress', 'pixpress', '@pixpress/core', '@pixpress/client', '@pixpress/server']

const jsTokens = await importFrom('packages/cli', 'js-tokens')
const files = git('ls-files', '--cached', '--others', '--exclude-standard')
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)) && !file.includes('/fixtures/'))

const text = page()
console.log(text)
if (values.write) {
  writeFileSync(path.join(root, 'scripts/size.md'), text)
  execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', 'scripts/size.md'], { cwd: root })
}

function page() {
  const parts = [
    `# Size\n\nCommit ${git('log', '-1', '--format=%h of %cs').trim()}, counted by \`node scripts/size.mjs\`.`,
    'A line of code has a token that is no comment. A line of comment has nothing else. Empty lines are left out.',
    `## Packages\n\n${packagesTable()}`,
    `## Other code\n\n${othersTable()}`,
    `## Words\n\n${wordsTable()}`,
  ]
  if (values.install || values.write)
    parts.push(
      `## What a user installs\n\nEach is installed by npm in an empty folder on ${process.platform} ${process.arch}. Its own size is the unpacked tarball.\n\n${installTable()}`,
    )
  return `${parts.join('\n\n')}\n`
}

function packagesTable() {
  const names = readdirSync(path.join(root, 'packages')).filter((name) => name !== 'testkit')
  const rows = names.map((name) => {
    const product = files.filter((file) => PRODUCT.exec(file)?.[1] === name && PRODUCT_CODE.test(file))
    const written = sizeOf(product.filter((file) => !GENERATED.test(file)))
    const tests = sizeOf(files.filter((file) => TESTS.exec(file)?.[1] === name && CODE.test(file)))
    const generated = sizeOf(product.filter((file) => GENERATED.test(file)))
    return [written.files, written.code, written.comments, tests.files, tests.code, tests.comments, generated.kilobytes]
  })
  const total = rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0))
  return table(
    ['package', 'files', 'code', 'comments', 'test files', 'test code', 'test comments', 'generated, kB'],
    [...rows.map((row, at) => [names[at], ...row]), ['all', ...total]],
  )
}

function othersTable() {
  const groups = {
    'end-to-end tests': /^test\//,
    testkit: /^packages\/testkit\//,
    scripts: /^(?:scripts|packages\/\w+\/scripts)\//,
    bench: /^bench\//,
    examples: /^examples\//,
    action: /^action\//,
    'site of the documentation': /^docs\/\.vitepress\//,
  }
  const rows = Object.entries(groups).map(([name, pattern]) => {
    const { files: count, code, comments } = sizeOf(files.filter((file) => pattern.test(file) && CODE.test(file)))
    return [name, count, code, comments]
  })
  const reports = files.filter((file) => /^packages\/\w+\/api\//.test(file))
  return table(
    ['part', 'files', 'code', 'comments'],
    [...rows, ['reports of the interfaces (generated)', reports.length, sizeOf(reports).code, '']],
  )
}

function wordsTable() {
  const groups = {
    'README.md': /^README\.md$/,
    docs: /^docs\/.*\.md$/,
    "packages' READMEs": /^packages\/[^/]+\/README\.md$/,
    'CONTRIBUTING.md': /^CONTRIBUTING\.md$/,
    'bench/README.md': /^bench\/README\.md$/,
    "examples' READMEs": /^examples\/.*README\.md$/,
  }
  const rows = Object.entries(groups).map(([name, pattern]) => {
    const texts = files.filter((file) => pattern.test(file)).map(read)
    const prose = texts.map((each) => each.replaceAll(/^ *```[^]*?^ *```/gm, ''))
    return [name, texts.length, wordsOf(prose), wordsOf(texts) - wordsOf(prose)]
  })
  return table(['pages', 'files', 'words', 'words in blocks of code'], rows)
}

function installTable() {
  const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-size-'))
  try {
    mkdirSync(path.join(folder, 'tarballs'))
    const packed = packAll(path.join(folder, 'tarballs'))
    const rows = INSTALLED.map((name, at) => {
      const own = packed.find((each) => each.name === name)
      const { packages, bytes } = install(path.join(folder, `project-${at}`), withOwn(own, packed))
      return [name, Math.round(own.unpacked / 1e3), packages, (bytes / 1e6).toFixed(1)]
    })
    return table(['package', 'own, kB', 'packages in all', 'MB in all'], rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A packed package, and those of ours that it depends on: npm would look for them in the registry. */
function withOwn(own, packed, found = new Map()) {
  if (found.has(own.name)) return found
  found.set(own.name, `file:${own.tarball}`)
  for (const each of packed) if (Object.hasOwn(own.dependencies, each.name)) withOwn(each, packed, found)
  return found
}

function install(folder, dependencies) {
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(dependencies) }),
  )
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'pipe' })
  const modules = path.join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8'))
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = entries.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0)
  return { packages: Object.keys(packages).length, bytes }
}

function sizeOf(paths) {
  const total = { files: paths.length, code: 0, comments: 0, kilobytes: 0 }
  for (const file of paths) {
    const content = read(file)
    const { code, comments } = linesOf(content, file)
    total.code += code
    total.comments += comments
    total.kilobytes += Math.round(Buffer.byteLength(content) / 1e3)
  }
  return total
}

/** The numbers of lines with code, and of lines with nothing but comments. */
function linesOf(content, file) {
  const code = new Set()
  const comments = new Set()
  let line = 0
  for (const { value, comment } of tokensOf(content, file)) {
    for (const [at, part] of value.split(/\r\n|[\n\r]/).entries()) {
      if (at > 0) line++
      if (part.trim() !== '') (comment ? comments : code).add(line)
    }
  }
  return { code: code.size, comments: [...comments].filter((each) => !code.has(each)).length }
}

function tokensOf(content, file) {
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    const tokens = [...jsTokens(content, { jsx: file.endsWith('x') })]
    return tokens.map(({ type, value }) => ({ value, comment: type.endsWith('Comment') }))
  }
  const comment = file.endsWith('.sh') ? /(^[ \t]*#.*$)/m : /(<!--[^]*?-->|\/\*[^]*?\*\/)/
  return content.split(comment).map((value, at) => ({ value, comment: at % 2 === 1 }))
}

function wordsOf(texts) {
  return texts.reduce((sum, each) => sum + each.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length, 0)
}

function table(head, rows) {
  const cells = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function read(file) {
  return readFileSync(path.join(root, file), 'utf8')
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
}
