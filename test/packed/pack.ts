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
  astro: '@pixpress/astro',
  nuxt: '@pixpress/nuxt',
} as const

/**
 * Packs packages of the workspace as they would be published: name → the tarball's absolute path. All are packed at
 * once, by whichever test file of a run asks first: npx takes longer to start than pnpm takes to pack.
 */
export async function pack(packages: readonly (keyof typeof PUBLISHED)[]): Promise<Map<string, string>> {
  const folder = await packedFolder()
  const files = await readdir(folder)
  return new Map(packages.map((name) => [PUBLISHED[name], path.join(folder, tarballOf(PUBLISHED[name], files))]))
}

/** `@pixpress/core` is packed as `pixpress-core-<version>.tgz`. */
function tarballOf(name: string, files: readonly string[]): string {
  const start = `${name.replace('@', '').replace('/', '-')}-`
  const found = files.filter((file) => file.startsWith(start) && /^\d/.test(file.slice(start.length)))
  if (found.length !== 1) throw new Error(`${found.length} tarballs of ${name} among ${files.join(', ')}`)
  return found[0]!
}

async function packedFolder(): Promise<string> {
  const done = path.join(inject('sharedFolder'), 'tarballs')
  const making = `${done}.making`
  for (;;) {
    if ((await readdir(done).catch(() => [])).length > 0) return done
    const mine = await mkdir(making).then(
      () => true,
      () => false,
    )
    if (!mine) {
      await delay(200)
      continue
    }
    try {
      // Another may have finished since the look above.
      if ((await readdir(done).catch(() => [])).length > 0) return done
      await packInto(making)
      await rename(making, done)
    } finally {
      // After a failure the next one tries.
      await rm(making, { recursive: true, force: true })
    }
  }
}

async function packInto(folder: string): Promise<void> {
  const { packageManager } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  const filters = Object.values(PUBLISHED).flatMap((name) => ['--filter', name])
  const args = ['-y', packageManager, '--recursive', ...filters, 'pack', '--pack-destination', folder]
  await execute('npx', args, { cwd: workspace })
}
