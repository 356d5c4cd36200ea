import type { Plugin } from 'vite'
import { KEPT_URL, isKeptUrl, keptUrlModule, resolveRemoteImport } from '../../modules/remote-import.ts'
import type { ProjectHolder } from './project.ts'

const REMOTE = /^https?:\/\//i

/**
 * Imports of remote images, which Vite itself leaves to browsers. A dev server exports their URLs, unless directives
 * ask something of an image.
 */
export function remoteImports(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:remote',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: REMOTE },
      async handler(source) {
        // Before 6.3 Vite knows no filters.
        if (!REMOTE.test(source)) return null
        const { session, isServed, warn } = holder.current
        return (await resolveRemoteImport(session, source, warn, { keepsUrls: isServed })) ?? null
      },
    },
    load: {
      filter: { id: KEPT_URL },
      handler: (id) => (isKeptUrl(id) ? { code: keptUrlModule(id), moduleType: 'js', moduleSideEffects: false } : null),
    },
  }
}
