/** Data that users read: reports, locks, names of files, answers of the command and of the server. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PLANTED, siteImages } from '../../packages/cli/test/commands/planted-site.ts'
import { findChromium, requireTool } from '../../packages/testkit/src/tools.ts'
import { renderSchema } from '../../scripts/options-docs.mjs'
import { SITE_PRESETS, composeSite } from '../contract/site.ts'
import { picture } from './pictures.mjs'

/** The first builds the site from nothing; the others begin with its results. */
const BUNDLERS = ['esbuild', 'vite', 'webpack', 'rspack', 'rsbuild', 'rollup', 'rolldown', 'bun']

const KEY = 'correct-horse-battery-staple'

/**
 * Values that are the time, the release, a folder or made of them, by their keys in JSON. How many pixels are decoded
 * depends on which thread gets a picture that another one has decoded.
 */
const VOLATILE = /^(?:batch|createdAt|decoded|listed|milliseconds|month|sums|version)$/

/** The texts by name, each as a list of lines. */
export async function measureTexts(root, isShort) {
  const scratch = path.join(root, 'test/.scratch')
  await mkdir(scratch, { recursive: true })
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-fence-')))
  const sites = await realpath(await mkdtemp(path.join(scratch, 'fence-')))
  const bench = new Bench(root, folder, sites)
  try {
    await buildSite(bench, 'esbuild')
    await Promise.all([
      commands(bench, isShort),
      server(bench, isShort).then(() => isShort || audit(bench)),
      schema(bench),
    ])
    if (!isShort) {
      const waiting = BUNDLERS.slice(1).values()
      const next = async () => {
        for (const bundler of waiting) await buildSite(bench, bundler)
      }
      await Promise.all([next(), next()])
      await locked(bench)
    }
  } finally {
    for (const made of [folder, sites]) await rm(made, { recursive: true, force: true, maxRetries: 5 })
  }
  return bench.texts
}

/**
 * A build of the packages, folders to work in, and the texts so far. The sites have a folder of the checkout, as
 * webpack and Rspack number modules by the path from the site to the plugin.
 */
class Bench {
  texts = new Map()

  constructor(root, folder, sites) {
    this.root = root
    this.folder = folder
    this.sites = sites
  }

  path(...parts) {
    return path.resolve(this.folder, ...parts)
  }

  async write(files) {
    for (const [name, data] of Object.entries(files)) {
      await mkdir(path.dirname(this.path(name)), { recursive: true })
      await writeFile(this.path(name), data)
    }
  }

  /** Keeps texts as lines, without the folder of this run. JSON gets a line for each thing that it lists. */
  keep(name, ...texts) {
    const lines = texts.filter((text) => text !== '').flatMap((text) => (laidOut(text) ?? text).trimEnd().split('\n'))
    const withoutFolder = (text) => text.replaceAll(this.folder, '<folder>').replaceAll(this.sites, '<sites>')
    this.texts.set(withoutFolder(name), lines.map(withoutFolder).map(withoutTimes))
  }

  /** Runs a program and returns what it printed. */
  async run(file, args, { cwd = this.folder, env = {} } = {}) {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, CI: '', GITHUB_ACTIONS: '', NO_COLOR: '1', NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (piece) => (stdout += piece))
    child.stderr.on('data', (piece) => (stderr += piece))
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    return { code, stdout, stderr }
  }

  /** Runs the command and keeps what it prints and its exit code. */
  async command(args, options) {
    const bin = path.join(this.root, 'packages/cli/dist/bin.js')
    const { code, stdout, stderr } = await this.run(process.execPath, [bin, ...args], options)
    this.keep(`pixpress ${args.join(' ')}`, stdout, stderr, `exit ${code}`)
    return stdout
  }
}

/** Returns JSON with a line for each member, and for each thing in a list, without volatile values. */
function laidOut(text) {
  let data
  try {
    data = JSON.parse(text, (key, value) => (VOLATILE.test(key) ? '<masked>' : value))
  } catch {
    return undefined
  }
  if (typeof data !== 'object' || data === null) return undefined
  if (Array.isArray(data)) return data.map((each) => JSON.stringify(each)).join('\n')
  return Object.entries(data)
    .flatMap(([key, value]) =>
      Array.isArray(value)
        ? [`${key}:`, ...value.map((each) => `  ${JSON.stringify(each)}`)]
        : [`${key}: ${JSON.stringify(value)}`],
    )
    .join('\n')
}

const withoutTimes = (text) => text.replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, '<time>')

const digest = (data) => createHash('sha256').update(data).digest('hex').slice(0, 16)

/** Builds the contract's site and keeps the emitted files, the report and the lock. */
async function buildSite(bench, bundler) {
  if (bundler === 'bun' && requireTool('bun') === undefined) return
  const { root } = bench
  const site = path.join(bench.sites, bundler)
  await bench.write({
    [`${site}/package.json`]: JSON.stringify({ name: 'site', version: '0.0.0', private: true, type: 'module' }),
    ...Object.fromEntries(Object.entries(composeSite(bundler).files).map(([name, data]) => [`${site}/${name}`, data])),
  })
  await mkdir(path.join(site, 'node_modules'))
  await symlink(
    await realpath(path.join(root, 'test/node_modules/unplugin-pixpress')),
    path.join(site, 'node_modules/unplugin-pixpress'),
    'junction',
  )
  if (bundler !== BUNDLERS[0]) {
    await cp(path.join(bench.sites, BUNDLERS[0], '.cache'), path.join(site, '.cache'), { recursive: true })
  }
  const job = {
    root: site,
    outDir: path.join(site, 'dist'),
    options: {
      presets: SITE_PRESETS,
      effort: 'fast',
      lock: true,
      report: { json: 'report.json' },
      // Where builds may try other formats, the time that they took decides how many.
      cache: { dir: '.cache/pixpress' },
    },
  }
  const file = bundler === 'bun' ? requireTool('bun') : process.execPath
  const driver = path.join(root, 'test/contract/bundlers', `${bundler}.mjs`)
  const { code, stdout, stderr } = await bench.run(file, [driver, JSON.stringify(job)], { cwd: job.root })
  if (code !== 0) throw new Error(`The ${bundler} build of the fence failed: ${stdout}\n${stderr}`)
  const names = (await readdir(job.outDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(job.outDir, path.join(entry.parentPath, entry.name)))
    .sort()
  const lines = await Promise.all(
    names.map(async (name) => {
      const data = await readFile(path.join(job.outDir, name))
      return `${name} ${digest(data)} ${data.length}`
    }),
  )
  bench.keep(`${bundler}: files`, lines.join('\n'))
  bench.keep(`${bundler}: report`, await readFile(path.join(site, 'report.json'), 'utf8'))
  bench.keep(`${bundler}: lock`, await readFile(path.join(site, 'pixpress.lock'), 'utf8'))
}

/** Keeps the JSON of the commands that work on files. */
async function commands(bench, isShort) {
  await bench.write({
    'cli/package.json': '{ "name": "shop", "private": true }',
    'cli/images/photo.jpg': await picture('small-photo.jpg'),
    'cli/images/boxes.png': await picture('small-boxes.png'),
    'cli/images/scene.svg': await picture('scene.svg'),
    'cli/images/travelling.gif': await picture('travelling.gif'),
    'cli/images/broken.png': 'no image',
  })
  const cwd = bench.path('cli')
  const run = (...args) => bench.command(args, { cwd })
  const report = await run('compress', 'images', '--out', 'out', '--json', '--preserve', 'copyright')
  await run('check', 'images', '--json')
  await bench.write({ 'cli/report.json': report })
  await run('report', 'report.json')
  if (isShort) return
  await run('cache', 'stats', '--json')
  await run('cache', 'verify', '--json')
  for (const format of ['text', 'github', 'gitlab', 'markdown', 'junit', 'sarif']) {
    await run('check', 'images', '--format', format)
  }
  await run('compress', 'images', '--dry-run', '--json', '--convert', 'webp,avif')
  await run('batch', '--from', 'images', '--to', 'result', '--json')
  await run('batch', '--to', 'result', '--status', '--json')
  await bench.write({
    'cli/vite.config.js': `import { defineConfig } from 'vite'
import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'
export default defineConfig({ plugins: [ViteImageOptimizer({ jpeg: { quality: 75 }, png: { quality: 80 } })] })
`,
  })
  await run('migrate', 'image-optimizer', '--json')
  await run('cache', 'prune', '--max-size', '1', '--json')
  await run('cache', 'clear', '--json')
}

/** Keeps what the commands say of a lock. */
async function locked(bench) {
  const cwd = path.join(bench.sites, 'vite')
  await bench.command(['upgrade', '--json'], { cwd })
  await bench.command(['refine', '--dry-run', '--json'], { cwd })
}

async function audit(bench) {
  const browser = findChromium()
  if (browser === undefined) return
  const pages = PLANTED.filter(({ kind }) =>
    ['oversize', 'sizes-missing', 'old-format', 'missing-alt', 'animated-gif'].includes(kind),
  )
  await bench.write(Object.fromEntries(pages.map(({ name, html }) => [`audit/dist/${name}`, html])))
  const images = await siteImages()
  await bench.write(Object.fromEntries(Object.entries(images).map(([name, data]) => [`audit/dist/${name}`, data])))
  const options = { cwd: bench.path('audit'), env: { CHROME_PATH: browser } }
  await bench.command(['audit', 'dist', '--viewports', '390@2,1280', '--json'], options)
}

async function schema(bench) {
  const file = path.join(bench.root, 'packages/core/dist/bundle/internal.js')
  const { PROJECT_OPTIONS } = await import(pathToFileURL(file).href)
  const text = renderSchema(PROJECT_OPTIONS, (doc) => doc)
  bench.keep('schema of options', `${digest(text)} ${text.length}`)
}

/** Keeps the answers of a server to the requests of the interface. */
async function server(bench, isShort) {
  const bin = path.join(bench.root, 'packages/cli/dist/bin.js')
  await bench.write({ 'originals/photo.jpg': await picture('small-photo.jpg') })
  const flags = ['--port', '0', '--key', `shop=${KEY}`, '--data', bench.path('data'), '--metrics-port', 'none']
  const others = ['--rate', 'none', '--drain-delay', '1ms', '--sandbox', 'none', '--concurrency', '1']
  const child = spawn(process.execPath, [bin, 'serve', ...flags, ...others], { cwd: bench.folder })
  const closed = new Promise((resolve) => child.on('close', resolve))
  const url = await new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (piece) => {
      said += piece
      const found = /Serving on (http:\S+)/.exec(said)
      if (found) resolve(found[1])
    })
    child.stdout.resume()
    void closed.then((code) => reject(new Error(`The server ended with ${code}: ${said}`)))
  })
  const lines = []
  const ask = async (method, target, { body, json, key = KEY, ...headers } = {}) => {
    const answer = await fetch(new URL(target, url), {
      method,
      headers: {
        ...(key && { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const shown = (text) => text.replaceAll(url, '').replaceAll(/(\/output\/)[\da-f]{32}/g, '$1<id>')
    lines.push(
      `${method} ${shown(target)}${json === undefined ? '' : ` ${JSON.stringify(json)}`}`,
      `  ${answer.status}`,
    )
    for (const [name, value] of answer.headers) {
      if (['date', 'connection', 'keep-alive', 'x-request-id', 'server-timing'].includes(name)) continue
      lines.push(`  ${name}: ${shown(value)}`)
    }
    const isText = /json|text|xml/.test(answer.headers.get('content-type') ?? '')
    if (isText && bytes.length < 2000) lines.push(`  ${shown(bytes.toString().trimEnd())}`)
    else if (bytes.length > 0) lines.push(`  ${digest(bytes)} ${bytes.length}`)
    return answer
  }
  try {
    const photo = await ask('POST', '/shrink', { body: await picture('small-photo.jpg') })
    const output = new URL(photo.headers.get('location')).pathname
    await ask('GET', output)
    await ask('POST', output, { json: { resize: { method: 'scale', width: 100 } } })
    await ask('POST', '/shrink', { body: 'no image' })
    await ask('POST', '/shrink', { body: 'x', key: 'wrong' })
    bench.keep('server: upload and download', lines.splice(0).join('\n'))
    if (!isShort) {
      for (const method of ['fit', 'cover', 'thumb']) {
        await ask('POST', output, { json: { resize: { method, width: 80, height: 60 } } })
      }
      await ask('POST', output, { json: { resize: { method: 'scale', width: 80, height: 60 } } })
      await ask('POST', output, { json: { resize: { method: 'other', width: 80 } } })
      await ask('POST', output, { json: { convert: { type: 'image/webp' } } })
      await ask('POST', output, { json: { convert: { type: ['image/webp', 'image/avif'] } } })
      await ask('POST', output, { json: { convert: { type: '*/*' } } })
      await ask('POST', output, { json: { preserve: ['copyright', 'creation', 'location'] } })
      await ask('POST', output, { json: { store: { service: 's3' } } })
      await ask('POST', output, { json: { unknown: 1 } })
      await ask('POST', '/shrink', { json: { source: { url: 'http://127.0.0.1:1/a.png' } } })
      await ask('POST', '/shrink', { json: { source: {} } })
      const boxes = await ask('POST', '/shrink', { body: await picture('small-boxes.png') })
      const transparent = new URL(boxes.headers.get('location')).pathname
      await ask('POST', transparent, { json: { convert: { type: 'image/jpeg' } } })
      await ask('POST', transparent, {
        json: { convert: { type: 'image/jpeg' }, transform: { background: '#ff0000' } },
      })
      const tagged = await ask('POST', '/shrink', { body: await picture('metadata/all.jpg') })
      const { pathname } = new URL(tagged.headers.get('location'))
      await ask('POST', pathname, { json: { preserve: ['copyright', 'creation', 'location'] } })
      await ask('GET', '/output/none')
      await ask('GET', '/nothing')
      await ask('DELETE', '/shrink')
      await ask('GET', '/shrink', { key: '' })
      await ask('GET', '/openapi.json', { key: '' })
      await ask('GET', '/healthz', { key: '' })
      bench.keep('server: operations and errors', lines.join('\n'))
    }
  } finally {
    child.kill('SIGTERM')
    await closed
  }
  if (isShort) return
  await bench.command(['keys', 'list', '--json', '--data', bench.path('data')])
  await bench.command(['storage', 'backup', bench.path('backup'), '--json', '--data', bench.path('data')])
  await bench.command(['storage', 'verify', bench.path('backup'), '--json'])
}
