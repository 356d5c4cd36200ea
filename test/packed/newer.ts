import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Makes tarballs of a next version, with an engine of the next revision, as an update of pixpress may have it.
 * @param tarballs name → absolute path
 * @param folder a new one, absolute
 */
export async function packNewer(
  tarballs: ReadonlyMap<string, string>,
  folder: string,
  version: string,
): Promise<Map<string, string>> {
  const newer = new Map<string, string>()
  for (const [name, tarball] of tarballs) {
    const place = path.join(folder, name.replace('/', '-'))
    await mkdir(place, { recursive: true })
    await execute('tar', ['-xzf', tarball], { cwd: place })
    const manifest = path.join(place, 'package/package.json')
    const old = JSON.parse(await readFile(manifest, 'utf8')) as Manifest
    if (old.version === version) throw new Error(`${name} has version ${version} already`)
    const own = new Set(tarballs.keys())
    await writeFile(manifest, JSON.stringify({ ...old, version, ...ownDependencies(old, own, version) }))
    await raiseVersion(path.join(place, 'package/dist'), old.version, version)
    if (name === '@pixpress/core') await raiseRevision(path.join(place, 'package/dist'))
    const file = `${place}-${version}.tgz`
    await execute('tar', ['-czf', file, 'package'], { cwd: place })
    newer.set(name, file)
  }
  return newer
}

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The dependencies of a manifest, those on packages that are made newer as well in the new version. */
function ownDependencies(old: Manifest, own: ReadonlySet<string>, version: string): Partial<Manifest> {
  const raised = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, range]) => [name, own.has(name) ? version : range]))
  return {
    ...(old.dependencies && { dependencies: raised(old.dependencies) }),
    ...(old.optionalDependencies && { optionalDependencies: raised(old.optionalDependencies) }),
  }
}

/** Writes the new version into the constants of the compiled code: one in each package and in each of its bundles. */
async function raiseVersion(dist: string, former: string, version: string): Promise<void> {
  const constant = new RegExp(
    String.raw`(\b(?:version: |VERSION = )["'])${former.replaceAll('.', String.raw`\.`)}(?=["'])`,
  )
  let raised = 0
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith('.js')) continue
    const file = path.join(dist, name)
    const text = await readFile(file, 'utf8')
    if (!constant.test(text)) continue
    await writeFile(
      file,
      text.replace(constant, (_, start: string) => `${start}${version}`),
    )
    raised++
  }
  if (raised === 0) throw new Error(`No module of ${dist} knows its version`)
}

const REVISION = /(const ENGINE_REVISION = )(\d+)/

async function raiseRevision(dist: string): Promise<void> {
  let raised = 0
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith('.js')) continue
    const file = path.join(dist, name)
    const text = await readFile(file, 'utf8')
    if (!REVISION.test(text)) continue
    await writeFile(
      file,
      text.replace(REVISION, (_, start: string, revision: string) => `${start}${Number(revision) + 1}`),
    )
    raised++
  }
  // One for modules, one in the bundle: a rename would make the update none.
  if (raised < 2) throw new Error(`The engine's revision stands in ${raised} files of the tarball`)
}
