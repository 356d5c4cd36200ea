import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as internal from 'unplugin-pixpress/internal'

/** What is used of `unplugin-pixpress/internal`: the parsers that read the project's texts when it is built. */
export type AdvicePlugin = Pick<typeof internal, 'adviseOn' | 'findElements' | 'findTargets' | 'withEdits'>

/** Packages that build a project's images. */
const OURS = ['unplugin-pixpress', '@pixpress/astro', '@pixpress/nuxt']

/**
 * The plugin that builds a project: its own, or one beside the command where a manifest names it. `undefined` for projects without it, in
 * which no directive does anything.
 */
export async function loadAdvicePlugin(project: string): Promise<AdvicePlugin | undefined> {
  const manifest = path.join(project, 'package.json')
  const text = await readFile(manifest, 'utf8').catch(() => '')
  // One package of a workspace may use what another, or the root, has installed.
  if (!OURS.some((name) => text.includes(`"${name}"`)) && !isInstalled(project)) return undefined
  for (const from of [manifest, import.meta.url]) {
    try {
      const file = createRequire(from).resolve('unplugin-pixpress/internal')
      const found = (await import(pathToFileURL(file).href)) as Partial<AdvicePlugin>
      // An older one gives no advice.
      if (found.findElements !== undefined) return found as AdvicePlugin
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    }
  }
  return undefined
}

function isInstalled(folder: string): boolean {
  if (existsSync(path.join(folder, 'node_modules', OURS[0]!))) return true
  const above = path.dirname(folder)
  return above !== folder && isInstalled(above)
}
