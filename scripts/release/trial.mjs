import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** A photograph that examples are built with, relative to the repository. */
const PHOTOGRAPH = 'examples/images/coffee.png'

const npm = (cwd, ...args) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] })
const bin = (cwd, name) => path.join(cwd, 'node_modules', '.bin', name)

/**
 * Installs tarballs in an empty folder outside of the workspace, as somebody who has nothing else.
 * @param {string} folder absolute
 * @param {readonly import('./pack.mjs').Packed[]} packages
 */
export function install(folder, packages) {
  const vite = JSON.parse(readFileSync(path.join(root, 'test/node_modules/vite/package.json'), 'utf8')).version
  const dependencies = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const manifest = { name: 'trial', version: '1.0.0', private: true, type: 'module', dependencies }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, devDependencies: { vite } }))
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error')
}

/** The materials of all that is installed for the packages, as CycloneDX. */
export const listMaterials = (folder) =>
  JSON.parse(npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--loglevel=error'))

/**
 * Builds a page with Vite and compresses a photograph with the command.
 * @returns {{ name: string, before: number, after: number }[]} bytes
 * @throws {Error} where a result is not smaller, or something fails
 */
export function runMainJob(folder) {
  mkdirSync(path.join(folder, 'src'))
  mkdirSync(path.join(folder, 'photos'))
  cpSync(path.join(root, PHOTOGRAPH), path.join(folder, 'src/photo.png'))
  cpSync(path.join(root, PHOTOGRAPH), path.join(folder, 'photos/photo.png'))
  const config =
    "import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress()], build: { assetsInlineLimit: 0 } }\n"
  writeFileSync(path.join(folder, 'vite.config.js'), config)
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Trial</title><img src="/src/photo.png" alt="">')
  execFileSync(bin(folder, 'vite'), ['build', '--logLevel', 'warn'], { cwd: folder, stdio: 'inherit' })
  execFileSync(bin(folder, 'pixpress'), ['compress', 'photos', '--quiet'], { cwd: folder, stdio: 'inherit' })
  const before = statSync(path.join(folder, 'src/photo.png')).size
  const built = readdirSync(path.join(folder, 'dist/assets')).find((name) => name.endsWith('.png'))
  const results = [
    { name: 'vite build', before, after: statSync(path.join(folder, 'dist/assets', `${built}`)).size },
    { name: 'pixpress compress', before, after: statSync(path.join(folder, 'photos/photo.png')).size },
  ]
  const failed = results.find(({ after }) => after >= before)
  if (failed !== undefined) throw new Error(`'${failed.name}' made ${failed.after} bytes of ${before}.`)
  return results
}

/**
 * Puts another version in the place of the installed core, and expects the plugin and the command to refuse it.
 * @returns {string} what the command says
 * @throws {Error} where it is taken
 */
export function expectRefusal(folder, version) {
  const bundle = path.join(folder, 'node_modules/@pixpress/core/dist/bundle')
  const own = new RegExp(
    String.raw`(name: "@pixpress/core",\s*version: ")${version.replaceAll('.', String.raw`\.`)}(?=")`,
  )
  for (const name of readdirSync(bundle).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(path.join(bundle, name), 'utf8')
    writeFileSync(
      path.join(bundle, name),
      text.replace(own, (_, start) => `${start}0.0.1`),
    )
  }
  const tries = [
    [process.execPath, ['--input-type=module', '--eval', "await import('unplugin-pixpress/vite')"]],
    [bin(folder, 'pixpress'), ['--version']],
  ]
  const said = tries.map(([command, args]) => {
    const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    if (status === 0 || !stderr.includes('is installed with @pixpress/core 0.0.1'))
      throw new Error(`Two versions were not refused by ${command} ${args.join(' ')}: ${stderr}`)
    return stderr.trim()
  })
  return said.at(-1)
}
