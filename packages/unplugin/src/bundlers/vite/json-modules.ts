import type { Plugin } from 'vite'
import { withLighterPictures } from '../../modules/pictures-inside.ts'
import { MAY_HOLD_PICTURE } from '../../references/data-url.ts'
import type { ProjectHolder } from './project.ts'

/** Ids of JSON files that become modules. */
const JSON_FILE = /\.json$/i

/** Pictures in data URLs of JSON files, before Vite makes modules of them. */
export function jsonModules(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:json',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: JSON_FILE, code: MAY_HOLD_PICTURE },
      async handler(text, file) {
        // Before 6.3 Vite knows no filters.
        if (!JSON_FILE.test(file)) return null
        const { session } = holder.current
        const code = await withLighterPictures(session, { text, as: 'json', file }, (message) => this.warn(message))
        // Builds make modules of JSON without source maps.
        return code === text ? null : { code, map: null }
      },
    },
  }
}
