import type { Plugin } from 'vite'
import { DRAWING, shownId } from '../../modules/shown-drawing.ts'
import type { ProjectHolder } from './project.ts'

/** Imports of SVG that components show in `<img>` alone. */
export function shownDrawings(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:shown-drawings',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      order: 'pre',
      filter: { id: DRAWING },
      async handler(specifier, importer, options) {
        if (importer === undefined) return null
        const { locateId, session, config } = holder.current
        // Astro makes an object of an import without a query.
        if (config.plugins.some(({ name }) => name.startsWith('astro:'))) return null
        const id = await shownId(session.files, specifier, importer, async () => {
          const resolved = await this.resolve(specifier, importer, { ...options, skipSelf: true })
          // A file of the public folder, or one that the options leave out, keeps its URL.
          return resolved !== null && (await locateId(resolved.id)) !== undefined ? resolved.id : undefined
        })
        return id ?? null
      },
    },
  }
}
