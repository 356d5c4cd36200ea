import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Postcss from 'postcss'
import type { AcceptedPlugin, Parser, ProcessOptions, Root } from 'postcss'

/** A PostCSS configuration, with its plugins loaded. */
export interface PostcssConfig {
  readonly options: ProcessOptions
  readonly plugins: readonly AcceptedPlugin[]
}

/**
 * The project's own PostCSS configuration (`postcss.config.*`, `.postcssrc.*`, `postcss` in package.json), found as
 * Vite finds it: from the folder upwards to the root of the workspace.
 */
export async function loadPostcssConfig(folder: string): Promise<PostcssConfig> {
  const stopDir = workspaceRoot(folder)
  // Most projects have none, and the library takes longer to load than all that a build does for twenty images.
  if (!upTo(stopDir, folder).some(mayHaveConfig)) return { options: {}, plugins: [] }
  const { default: load } = await import('postcss-load-config')
  try {
    const { options, plugins } = await load({}, folder, { stopDir })
    return { options, plugins }
  } catch (error) {
    // A project without one is the usual case; every other failure is the project's to fix.
    if (error instanceof Error && error.message.includes('No PostCSS Config found')) return { options: {}, plugins: [] }
    throw error
  }
}

/** Marks for which Vite parses a stylesheet when the project has no PostCSS plugins. */
const PARSED_BY_VITE = /@import|url\(|image-set\(/

/**
 * A parser for projects without PostCSS plugins. With ours Vite parses every stylesheet, and those that are not well
 * formed (a block without an end) would fail builds that pass without us. Where Vite alone would not parse such a
 * stylesheet, its text stays as it is.
 * @returns `undefined` where the PostCSS of Vite is not found, and PostCSS's own parser remains
 */
export function lenientParser(root: string): Parser<Root> | undefined {
  const file = postcssOfVite(path.join(root, 'package.json')) ?? postcssOfVite(process.argv[1] ?? '')
  if (file === undefined) return undefined
  return (css, options) => {
    const postcss = createRequire(file)(file) as typeof Postcss
    try {
      return postcss.parse(css, options) as Root
    } catch (error) {
      const text = css.toString()
      if (PARSED_BY_VITE.test(text) || /\.module\.\w+$/.test(options?.from ?? '')) throw error
      return postcss.root({ raws: { after: text } })
    }
  }
}

function postcssOfVite(start: string): string | undefined {
  try {
    // A command is often a link into the store of a package manager, beside what it needs.
    const vite = createRequire(existsSync(start) ? realpathSync(start) : start).resolve('vite/package.json')
    return createRequire(vite).resolve('postcss')
  } catch {
    return undefined
  }
}

/** Vite's rule (`searchForWorkspaceRoot`): the nearest workspace upwards, else the nearest package, else the folder. */
function workspaceRoot(folder: string): string {
  const upwards = ancestors(folder)
  return upwards.find(isWorkspace) ?? upwards.find((each) => existsSync(path.join(each, 'package.json'))) ?? folder
}

/** The folders from one upwards to another. */
function upTo(top: string, folder: string): string[] {
  const upwards = ancestors(folder)
  return upwards.slice(0, upwards.indexOf(top) + 1)
}

/** Tells whether something in a folder may be a configuration: whether it is one, the library finds out. */
function mayHaveConfig(folder: string): boolean {
  try {
    const names = readdirSync(folder)
    if (names.some((name) => /^(?:\.postcssrc|postcss\.config\.)/.test(name))) return true
    return names.includes('package.json') && readFileSync(path.join(folder, 'package.json'), 'utf8').includes('postcss')
  } catch {
    return true
  }
}

function ancestors(folder: string): string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

function isWorkspace(folder: string): boolean {
  if (['pnpm-workspace.yaml', 'lerna.json'].some((file) => existsSync(path.join(folder, file)))) return true
  return (
    hasMember(path.join(folder, 'package.json'), 'workspaces') || hasMember(path.join(folder, 'deno.json'), 'workspace')
  )
}

function hasMember(file: string, member: string): boolean {
  if (!existsSync(file)) return false
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof content === 'object' && content !== null && Boolean((content as Record<string, unknown>)[member])
  } catch {
    // Unreadable or not JSON: it says nothing about a workspace.
    return false
  }
}
