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
    const { version: former, ...others } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>
    if (former === version) throw new Error(`${name} has version ${version} already`)
    await writeFile(manifest, JSON.stringify({ ...others, version }))
    if (name === '@pixpress/core') await raiseRevision(path.join(place, 'package/dist'))
    const file = `${place}-${version}.tgz`
    await execute('tar', ['-czf', file, 'package'], { cwd: place })
    newer.set(name, file)
  }
  return newer
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
