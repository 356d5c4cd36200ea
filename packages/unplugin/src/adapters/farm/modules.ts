import type { CompilationContext, PluginLoadHookParam, PluginLoadHookResult } from '@farmfe/core'
import { createImageModule, isOwnQuery } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import { toLiteral } from '../../core/reference/asset-module.ts'
import { createServedModule } from '../../core/served-module.ts'
import { createEmitter } from './emit.ts'
import type { FarmProject } from './project.ts'
import { isMarkedLocal, isMarkedTyped } from './module-references.ts'

/**
 * The module of an image: imported by scripts, or referenced by `new URL()`, globs and stylesheets, which Farm all makes
 * modules. `null` leaves the file to Farm.
 */
export async function loadImage(
  project: FarmProject,
  isServed: boolean,
  { resolvedPath: file, query: pairs, moduleId }: PluginLoadHookParam,
  context: CompilationContext,
): Promise<PluginLoadHookResult | null> {
  const { session, isForNode, generation } = project
  const query = toQuery(pairs)
  if (!session.matches(file) || !isOwnQuery(query) || !(await isFile(file))) return null
  const use = isMarkedTyped(query) ? 'typed' : 'content'
  await generation?.record({ owner: file, file, query, use })
  const emitter = createEmitter(project, context, moduleId, isServed || isMarkedLocal(query))
  const warn = (message: string): void => context.warn(message)
  if (isServed && !isForNode) {
    const content = await createServedModule(
      session,
      { file, query, use },
      {
        planned: (image, index) => emitter.served(image, { file, query, index, use }),
        original: async () => emitter.finished(await session.original(file)),
      },
      warn,
    )
    return { content, moduleType: 'js' }
  }
  const code = await createImageModule(
    session,
    { file, query, use },
    async (image) => {
      const address = await emitter.stored(image)
      if (address !== undefined) return toLiteral(address)
      return isForNode ? diskPath(emitter.finished(image)) : toLiteral(emitter.finished(image))
    },
    warn,
  )
  if (code === undefined) return null
  return { content: isForNode ? `import { fileURLToPath } from "node:url";\n${code}` : code, moduleType: 'js' }
}

/** As in Farm's plugin_static_assets. */
function diskPath(url: string): string {
  return `fileURLToPath(new URL(/* $farm-ignore */${toLiteral(url)}, import.meta.url))`
}

/** Farm hands queries over in pairs. */
function toQuery(pairs: readonly (readonly [string, string])[]): string {
  const parameters = pairs.map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}
