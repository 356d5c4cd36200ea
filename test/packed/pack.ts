import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const execute = promisify(execFile)
const workspace = path.resolve(import.meta.dirname, '../..')

/** Names of what is published, by the folders of `packages`. */
export const PUBLISHED = {
  core: '@pixpress/core',
  client: '@pixpress/client',
  server: '@pixpress/server',
  cli: 'pixpress',
  unplugin: 'unplugin-pixpress',
} as const

/**
 * Packs packages of the workspace as they would be published: name → the tarball's absolute path. Each is packed once for all
 * test files of a run.
 */
export async function pack(packages: readonly (keyof typeof PUBLISHED)[]): Promise<Map<string, string>> {
  const tarballs = new Map<string, string>()
  for (const name of packages) tarballs.set(PUBLISHED[name], await tarballOf(name))
  return tarballs
}

async function tarballOf(name: keyof typeof PUBLISHED): Promise<string> {
  const done = path.join(inject('sharedFolder'), 'tarballs', name)
  const making = `${done}.making`
  await mkdir(path.dirname(done), { recursive: true })
  for (;;) {
    const [made] = await readdir(done).catch(() => [])
    if (made !== undefined) return path.join(done, made)
    const mine = await mkdir(making).then(
      () => true,
      () => false,
    )
    if (!mine) {
      await delay(200)
      continue
    }
    try {
      await packInto(making, name)
      await rename(making, done)
    } finally {
      // After a failure the next one tries.
      await rm(making, { recursive: true, force: true })
    }
  }
}

async function packInto(folder: string, name: string): Promise<void> {
  const { packageManager } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  const cwd = path.join(workspace, 'packages', name)
  await execute('npx', ['-y', packageManager, 'pack', '--pack-destination', folder], { cwd })
}
