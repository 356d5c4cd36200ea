import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The packages whose builds compress the images that they ship. */
const PLUGINS: readonly string[] = ['unplugin-pixpress', '@pixpress/astro', '@pixpress/nuxt']

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

/** The project that builds a file. */
export interface PluginProject {
  /** Its folder, absolute: that of the nearest manifest. */
  readonly folder: string
}

/**
 * Makes the lookup of a file's project, if a build with the plugin ships its images: a manifest of its folder or of one
 * above names the plugin, as workspaces keep it at their root too. The lookup takes absolute paths.
 */
export function createPluginProjects(): (file: string) => PluginProject | undefined {
  const known = new Map<string, { readonly folder: string | undefined; readonly hasPlugin: boolean }>()

  function look(folder: string): { readonly folder: string | undefined; readonly hasPlugin: boolean } {
    const before = known.get(folder)
    if (before !== undefined) return before
    const parent = path.dirname(folder)
    const above = parent === folder || isTop(folder) ? NOTHING : look(parent)
    const names = dependenciesOf(folder)
    const found =
      names === undefined
        ? above
        : { folder, hasPlugin: above.hasPlugin || PLUGINS.some((plugin) => names.includes(plugin)) }
    known.set(folder, found)
    return found
  }

  return (file) => {
    const { folder, hasPlugin } = look(path.dirname(file))
    return hasPlugin && folder !== undefined ? { folder } : undefined
  }
}

const NOTHING = { folder: undefined, hasPlugin: false }

/** Folders above the top of a repository are no part of it. */
const isTop = (folder: string): boolean => existsSync(path.join(folder, '.git'))

/** Names of what a manifest asks for; `undefined` where there is none, or it is none. */
function dependenciesOf(folder: string): readonly string[] | undefined {
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, object>
    return SECTIONS.flatMap((section) => Object.keys(manifest[section] ?? {}))
  } catch {
    return undefined
  }
}
