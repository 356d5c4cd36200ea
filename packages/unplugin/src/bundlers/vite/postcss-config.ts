import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AcceptedPlugin, ProcessOptions } from 'postcss'

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
  const { default: load } = await import('postcss-load-config')
  try {
    const { options, plugins } = await load({}, folder, { stopDir: workspaceRoot(folder) })
    return { options, plugins }
  } catch (error) {
    // A project without one is the usual case; every other failure is the project's to fix.
    if (error instanceof Error && error.message.includes('No PostCSS Config found')) return { options: {}, plugins: [] }
    throw error
  }
}

/** Vite's rule (`searchForWorkspaceRoot`): the nearest workspace upwards, else the nearest package, else the folder. */
function workspaceRoot(folder: string): string {
  const upwards = ancestors(folder)
  return upwards.find(isWorkspace) ?? upwards.find((each) => existsSync(path.join(each, 'package.json'))) ?? folder
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
