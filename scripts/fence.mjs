/**
 * Compares what the built packages make with what they made before, byte by byte.
 *
 *   node scripts/fence.mjs                    everything: images, encodes, names, reports, answers
 *   node scripts/fence.mjs --short            half a minute of it
 *   node scripts/fence.mjs --only logo.png    the cases whose name has this text
 *   node scripts/fence.mjs --only texts       names, reports and answers without the images
 *   node scripts/fence.mjs --accept           prints what changed, and keeps it
 *   node scripts/fence.mjs --against COMMIT   builds that commit and compares with it, on any machine
 *
 * Ends with 1 where something differs, and with 3 where the kept results were made with other codecs or another
 * platform.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packageManager, root } from './bootstrap.mjs'

const NOT_COMPARABLE = 3
const platform = `${process.platform}-${process.arch}`
const golden = path.join(root, 'test/fence', `golden-${platform}.json`)

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    accept: { type: 'boolean', default: false },
    against: { type: 'string' },
    only: { type: 'string' },
  },
})

const node = pinnedNode()
if (node !== process.execPath) {
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' })
  process.exit(status ?? 1)
}
const { measure } = await import('../test/fence/measure.mjs')
process.exitCode = await (flags.against === undefined ? compareWithGolden() : compareWithCommit(flags.against))

/** The Node of the test's packages: its zlib writes the same bytes for everyone. */
function pinnedNode() {
  const require = createRequire(path.join(root, 'packages/testkit/package.json'))
  const name = `node-${platform.replace('win32', 'win')}`
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`))
    return path.join(folder, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  } catch {
    console.log(`There is no package ${name}, whose zlib the results of the fence depend on.`)
    process.exit(NOT_COMPARABLE)
  }
}

async function compareWithGolden() {
  const versions = madeWith(root)
  const kept = existsSync(golden) ? JSON.parse(readFileSync(golden, 'utf8')) : undefined
  const others = kept && Object.keys(versions).filter((name) => kept['made with'][name] !== versions[name])
  if (!flags.accept && (kept === undefined || others.length > 0)) {
    const why = others?.map((name) => `${name} ${kept['made with'][name]}, here ${versions[name]}`).join('; ')
    console.log(
      `The results in ${path.relative(root, golden)} ${why === undefined ? 'do not exist' : `were made with ${why}`}. ` +
        `Compare two builds on this machine: node scripts/fence.mjs --against COMMIT`,
    )
    return NOT_COMPARABLE
  }
  const now = await measure(root, flags)
  const before = { images: kept?.images ?? {}, texts: kept?.texts ?? {} }
  const isWhole = !flags.short && flags.only === undefined
  const changes = printChanges(before, now, isWhole)
  if (!flags.accept) {
    if (changes > 0) console.log('Is this on purpose? node scripts/fence.mjs --accept')
    return changes > 0 ? 1 : 0
  }
  const merged = {
    images: isWhole ? now.images : { ...before.images, ...now.images },
    texts: isWhole || flags.only === 'texts' ? now.texts : { ...before.texts, ...now.texts },
  }
  writeFileSync(golden, `${JSON.stringify({ 'made with': versions, ...sorted(merged) }, null, 2)}\n`)
  console.log(`Kept in ${path.relative(root, golden)}.`)
  return 0
}

async function compareWithCommit(commit) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pixpress-against-'))
  try {
    run('git', ['worktree', 'add', '--detach', '--force', folder, commit], root)
    run('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--prefer-offline'], folder)
    run('npm', ['run', 'build'], folder)
    const before = await measure(folder, flags)
    const now = await measure(root, flags)
    return printChanges(before, now, true) > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
    spawnSync('git', ['worktree', 'prune'], { cwd: root })
  }
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}

/** The versions that decide the bytes of results. */
function madeWith(workspace) {
  const require = createRequire(path.join(workspace, 'packages/core/package.json'))
  const version = (name, from = require) => JSON.parse(readFileSync(manifestOf(name, from), 'utf8')).version
  const { vips, ...codecs } = require('sharp').versions
  const heic = createRequire(require.resolve('heic-decode/package.json'))
  const names = ['aom', 'cgif', 'exif', 'heif', 'imagequant', 'lcms', 'mozjpeg', 'png', 'rsvg', 'spng', 'tiff', 'webp']
  return {
    platform,
    node: process.versions.node,
    zlib: process.versions.zlib,
    sharp: version('sharp'),
    vips,
    ...Object.fromEntries(names.filter((name) => name in codecs).map((name) => [name, codecs[name]])),
    '@napi-rs/image': version('@napi-rs/image'),
    svgo: version('svgo'),
    '@jsquash/jxl': version('@jsquash/jxl'),
    'heic-decode': version('heic-decode'),
    'libheif-js': version('libheif-js', heic),
  }
}

/** The manifest of a package, also where its `exports` do not name it. */
function manifestOf(name, from) {
  for (let folder = path.dirname(from.resolve(name)); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json')
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === name) return file
  }
}

/** Prints every difference, and the sum of bytes. @returns how many there are */
function printChanges(before, now, isWhole) {
  const names = (kind) => [...new Set([...(isWhole ? Object.keys(before[kind]) : []), ...Object.keys(now[kind])])]
  const images = names('images').filter((name) => before.images[name] !== now.images[name])
  const texts = names('texts').filter((name) => !isSameText(before.texts[name], now.texts[name]))
  let [from, to] = [0, 0]
  for (const name of names('images')) {
    const [old, made] = [facts(before.images[name]), facts(now.images[name])]
    if (Number.isNaN(old.bytes) || Number.isNaN(made.bytes)) continue
    from += old.bytes
    to += made.bytes
  }
  for (const name of images) console.log(`${name}: ${difference(facts(before.images[name]), facts(now.images[name]))}`)
  for (const name of texts) {
    console.log(`${name}:`)
    for (const line of changedLines(before.texts[name], now.texts[name])) console.log(`  ${line}`)
  }
  const checked = names('images').length + names('texts').length
  console.log(`${images.length + texts.length} of ${checked} differ; ${percent(from, to)} of ${from} bytes.`)
  return images.length + texts.length
}

/** Reads a line such as `1f0c… webp 5120 80.31 | webp:72#aaaa`. */
function facts(line) {
  if (line === undefined) return { text: 'nothing', bytes: Number.NaN }
  const [result, encodes] = line.split(' | ')
  const [digest, type, bytes, score] = result.split(' ')
  return { text: result, digest, type, bytes: Number(bytes), score, encodes }
}

function difference(old, made) {
  if (old.text === made.text) return `the encodes differ\n  - ${old.encodes}\n  + ${made.encodes}`
  if (Number.isNaN(old.bytes) || Number.isNaN(made.bytes)) return `${old.text} → ${made.text}`
  const same = old.digest === made.digest ? 'the same bytes' : `other bytes of the same number (${made.bytes})`
  const bytes =
    old.bytes === made.bytes ? same : `${old.bytes} → ${made.bytes} bytes (${percent(old.bytes, made.bytes)})`
  const scores = old.score === made.score ? '' : `, score ${old.score ?? 'none'} → ${made.score ?? 'none'}`
  const types = old.type === made.type ? '' : `, ${old.type} → ${made.type}`
  return `${bytes}${scores}${types}`
}

function percent(from, to) {
  const change = from === 0 ? 0 : (100 * (to - from)) / from
  return `${change < 0 ? '' : '+'}${change.toFixed(2)} %`
}

function isSameText(one, other) {
  return one?.join('\n') === other?.join('\n')
}

/** The lines that only one of two texts has, the first few of each. */
function changedLines(before = [], now = []) {
  const [had, has] = [new Set(before), new Set(now)]
  const gone = before.filter((line) => !has.has(line))
  const added = now.filter((line) => !had.has(line))
  if (gone.length + added.length === 0) return ['the order of the lines differs']
  const shown = [...gone.slice(0, 10).map((line) => `- ${line}`), ...added.slice(0, 10).map((line) => `+ ${line}`)]
  const others = gone.length + added.length - shown.length
  return others > 0 ? [...shown, `and ${others} more`] : shown
}

function sorted({ images, texts }) {
  return { images: inOrder(images), texts: inOrder(texts) }
}

function inOrder(part) {
  return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
}
