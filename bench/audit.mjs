/**
 * Measures the savings of `pixpress audit --write` on real sites: each is built, inspected, written, and built again.
 * See README.md.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const USAGE = `What 'pixpress audit --write' mends on real sites.

  node audit.mjs <folder…> [options]

  folder           a site with its packages installed, and a script named build in its package.json; it is copied first
  --out NAME       folder of the site that a build writes (default dist)
  --viewports LIST as of 'pixpress audit'
  --keep           leaves the copies where they are, and names them`

const WORKSPACE = path.resolve(import.meta.dirname, '..')
const COMMAND = path.join(WORKSPACE, 'packages/cli/dist/bin.js')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'dist' },
    viewports: { type: 'string', default: '390@2,768,1280@2' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help || positionals.length === 0) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const sums = { advices: 0, failed: 0, left: 0 }
console.log(
  '| site | advices | places | build | findings mended wholly | of these left | all findings | bytes too many |',
)
console.log('| --- | --: | --: | --- | --: | --: | --- | --- |')
for (const site of positionals) {
  const row = await measure(path.resolve(site))
  sums.advices += row.advices
  sums.failed += row.builds === 'pass' ? 0 : 1
  sums.left += row.left.length
  console.log(
    `| ${path.basename(site)} | ${row.advices} | ${row.places} | ${row.builds} | ${row.meant} | ${row.left.length} | ${row.all.join(' → ')} | ${row.wasted.map(kilobytes).join(' → ')} |`,
  )
  for (const each of row.left) console.error(`left in ${path.basename(site)}: ${each}`)
}
console.log(`\n${sums.advices} advices, ${sums.failed} failed builds, ${sums.left} findings left`)
process.exitCode = sums.failed + sums.left > 0 ? 1 : 0

/** @param site absolute path of the site's folder */
async function measure(site) {
  const copy = path.join(await mkdtemp(path.join(os.tmpdir(), 'pixpress-audit-site-')), path.basename(site))
  try {
    await cp(site, copy, { recursive: true, verbatimSymlinks: true })
    const plugin = path.join(copy, 'node_modules/unplugin-pixpress')
    if (!existsSync(plugin)) await symlink(path.join(WORKSPACE, 'packages/unplugin'), plugin, 'dir')
    await run(process.execPath, [COMMAND, 'init'], copy)
    await build(copy)
    const first = await audit(copy, '--write')
    const builds = await build(copy).then(
      () => 'pass',
      (error) => `FAIL: ${error.message.slice(-300)}`,
    )
    const meant = first.findings.filter(({ advice }) => advice.some(({ isWritable, isWhole }) => isWritable && isWhole))
    const second = builds === 'pass' ? await audit(copy) : { findings: [], totals: { wasted: 0 } }
    const after = new Set(second.findings.map(nameOf))
    return {
      advices: first.findings.flatMap(({ advice }) => advice.filter(({ isWritable }) => isWritable)).length,
      places: first.edits.length,
      builds,
      meant: meant.length,
      left: meant.map(nameOf).filter((name) => after.has(name)),
      all: [first.findings.length, second.findings.length],
      wasted: [first.totals.wasted, second.totals.wasted],
    }
  } finally {
    if (values.keep) console.error(`kept: ${copy}`)
    else await rm(path.dirname(copy), { recursive: true, force: true })
  }
}

function nameOf({ kind, source, image }) {
  return `${kind} of ${source ?? image}`
}

function build(folder) {
  return run('npm', ['run', 'build'], folder)
}

async function audit(folder, ...flags) {
  const args = [COMMAND, 'audit', values.out, '--json', '--viewports', values.viewports, ...flags]
  return JSON.parse(await run(process.execPath, args, folder, [0, 3]))
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}

/**
 * Returns the output of a program.
 * @throws Error with the end of the output if it exits with another code
 */
function run(program, args, cwd, codes = [0]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, CI: 'true' } })
    let out = ''
    let all = ''
    child.stdout.on('data', (text) => {
      out += text
      all += text
    })
    child.stderr.on('data', (text) => {
      all += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (codes.includes(code)) resolve(out)
      else reject(new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code}: ${all.trim().slice(-1500)}`))
    })
  })
}
