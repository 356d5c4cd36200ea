import type { PluginLoadHookParam, PluginLoadHookResult } from '@farmfe/core'
import { toLiteral } from '../../modules/asset-module.ts'
import { noteNearQuery, readQuery } from '../../modules/reference.ts'
import { renderImport } from '../../modules/render-import.ts'
import type { ModuleImages } from '../../modules/render-import.ts'
import { isFile } from '../../base/files.ts'
import { watchedFiles } from '../../session/plan/focus.ts'
import { createEmitter } from './emit.ts'
import type { FarmHook } from './project.ts'
import { isMarkedLocal, markedUse } from './module-references.ts'

/**
 * The module of an image: imported by scripts, or referenced by `new URL()`, globs and stylesheets, which Farm all
 * makes modules. `null` leaves the file to Farm.
 */
export async function loadImage(
  { project, isServed, context }: FarmHook,
  { resolvedPath: file, query: pairs, moduleId }: PluginLoadHookParam,
): Promise<PluginLoadHookResult | null> {
  const { session, isForNode, generation } = project
  const text = toQuery(pairs)
  if (!session.matches(file)) return null
  const query = readQuery(text)
  if (!query.isOwn) noteNearQuery(session, { file, query, isImport: true }, (message) => context.warn(message))
  if (!query.isOwn || !(await isFile(session.files, file))) return null
  const use = markedUse(text)
  await generation?.record({ owner: file, file, query: text, use })
  for (const sidecar of (await watchedFiles(session.files, file, query)).slice(1)) context.addWatchFile(file, sidecar)
  const emitter = createEmitter(project, context, moduleId, isServed || isMarkedLocal(text))
  const warn = (message: string): void => context.warn(message)
  const inline = query.inline === true
  // The dev server's own modules for Node are files as well.
  const onRequest = isServed && !isForNode && !inline && !query.original
  const images: ModuleImages = {
    onRequest,
    async place(planned, index, finish) {
      if (onRequest) return toLiteral(emitter.served(planned, { file, query: text, index, use }))
      return emitter.expression(await finish(), inline, isForNode ? diskPath : toLiteral)
    },
  }
  const code = await renderImport(session, { file, query, use }, images, warn)
  return { content: isForNode ? `import { fileURLToPath } from "node:url";\n${code}` : code, moduleType: 'js' }
}

/** Writes the path as Farm's plugin_static_assets does. */
function diskPath(url: string): string {
  return `fileURLToPath(new URL(/* $farm-ignore */${toLiteral(url)}, import.meta.url))`
}

/** Farm hands queries over in pairs. */
function toQuery(pairs: readonly (readonly [string, string])[]): string {
  const parameters = pairs.map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}
