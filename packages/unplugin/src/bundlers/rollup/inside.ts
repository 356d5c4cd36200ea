import { withLighterPictures } from '../../modules/pictures-inside.ts'
import { MAY_HOLD_PICTURE } from '../../references/data-url.ts'
import type { Session } from '../../session/session.ts'

/** Ids of JSON files that become modules. */
const JSON_FILE = /\.json$/i

/** The hook of Rollup and Rolldown, as far as it is used here. */
export interface JsonHook {
  readonly order: 'pre'
  readonly filter: { readonly id: RegExp; readonly code: RegExp }
  handler(this: { warn(message: string): void }, code: string, id: string): Promise<{ code: string; map: null } | null>
}

/** Pictures in data URLs of JSON files, before another plugin or the bundler makes modules of them. */
export function lightenJson(session: () => Session): JsonHook {
  return {
    order: 'pre',
    filter: { id: JSON_FILE, code: MAY_HOLD_PICTURE },
    async handler(text, file) {
      const warn = (message: string): void => this.warn(message)
      const code = await withLighterPictures(session(), { text, as: 'json', file }, warn)
      return code === text ? null : { code, map: null }
    },
  }
}
