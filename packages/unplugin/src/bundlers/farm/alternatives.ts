import type { CompilationContext, JsPlugin, PluginFinalizeResourcesHookParams } from '@farmfe/core'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import { hasHotUpdates } from './project.ts'
import type { FarmProject } from './project.ts'
import { resourceName } from './resource-name.ts'

/** After Farm's own plugins, which put scripts into pages and minify them. */
const PRIORITY = -1000

type Resources = PluginFinalizeResourcesHookParams['resourcesMap']

/**
 * Pages and stylesheets that offer images in several types: changed when Farm has minified and named them. Stylesheets
 * are named by the images in them, whose names have a part of what will be offered.
 * @param projectOf gives the project; `undefined` for a dev server, which shows images in their own type
 */
export function offerInFarm(projectOf: () => FarmProject | undefined): JsPlugin {
  return {
    name: 'pixpress:fallbacks',
    priority: PRIORITY,
    configResolved(this: JsPlugin, config) {
      // Farm copies the whole output, number by number, for every update that a plugin looks at.
      if (hasHotUpdates(config)) delete this.finalizeResources
    },
    finalizeResources: {
      async executor({ resourcesMap }, context) {
        const project = projectOf()
        if (project?.session.alternatives.isWanted === true) await changeResources(project, resourcesMap, context!)
        return resourcesMap
      },
    },
  }
}

async function changeResources(
  { session, publicPath, assetsFilename }: FarmProject,
  resources: Resources,
  context: CompilationContext,
): Promise<void> {
  const byName = new Map(Object.values(resources).map((resource) => [resource.name, resource]))
  await offerAlternatives(
    session,
    {
      base: publicPath,
      names: [...byName.keys()],
      read: (name) => Buffer.from(byName.get(name)?.bytes ?? []),
      write(name, text) {
        byName.get(name)!.bytes = [...Buffer.from(text)]
      },
      emit({ name: wanted, data }, beside) {
        const name = resourceName(assetsFilename, wanted, data, beside)
        const { resourceType } = byName.get(beside)!
        // The resource belongs to no module: a stylesheet takes any resource of an image's module, and Farm keeps those
        // in its cache.
        const origin = { type: 'Module', value: name } as const
        resources[name] = { name, bytes: [...data], emitted: false, resourceType, origin }
        return name
      },
    },
    (message) => context.warn(message),
  )
}
