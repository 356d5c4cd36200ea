import type { Plugin } from 'vite'
import { KEPT_URL, isKeptUrl, keptUrlModule, resolveRemoteImport } from '../../modules/remote-import.ts'
import type { ProjectHolder } from './project.ts'

const REMOTE = /^https?:\/\//i

/** Begins what stands for a URL in the scripts of a dev server. The rest is the URL in base64. */
const STAND_IN = 'pixpress-remote:'

const RESOLVED = new RegExp(`${REMOTE.source}|^${STAND_IN}`, 'i')

/** An import or export of a URL, somewhere in a script. */
const IN_SCRIPT = /(?:\bfrom\b|\bimport\b)[\s(]*["'`]https?:\/\//i

/**
 * Imports of remote images, which Vite itself leaves to browsers. A dev server exports their URLs, unless directives
 * ask something of an image.
 */
export function remoteImports(holder: ProjectHolder): Plugin[] {
  return [
    {
      name: 'pixpress:remote',
      enforce: 'pre',
      resolveId: {
        order: 'pre',
        filter: { id: RESOLVED },
        async handler(source) {
          // Before 6.3 Vite knows no filters.
          if (!RESOLVED.test(source)) return null
          const { session, isServed, warn } = holder.current
          const url = source.startsWith(STAND_IN) ? fromStandIn(source) : source
          return (await resolveRemoteImport(session, url, warn, { keepsUrls: isServed })) ?? null
        },
      },
      load: {
        filter: { id: KEPT_URL },
        handler: (id) =>
          isKeptUrl(id) ? { code: keptUrlModule(id), moduleType: 'js', moduleSideEffects: false } : null,
      },
    },
    {
      name: 'pixpress:remote-served',
      // A dev server resolves no URL of another host, so another specifier stands for it once scripts are JavaScript.
      enforce: 'post',
      apply: 'serve',
      transform: {
        filter: { code: IN_SCRIPT },
        async handler(code, id) {
          const { session } = holder.current
          if (!session.remote.isWanted || !IN_SCRIPT.test(code)) return null
          const found = sourcesIn(parsed(this, code)).filter(({ value }) => session.remote.takes(value))
          if (found.length === 0) return null
          const { MagicString } = await import('magic-string')
          const text = new MagicString(code)
          for (const { start, end, value } of found) text.update(start, end, JSON.stringify(toStandIn(value)))
          return { code: text.toString(), map: text.generateMap({ hires: 'boundary', source: id }) }
        },
      },
    },
  ]
}

const toStandIn = (url: string): string => STAND_IN + Buffer.from(url).toString('base64url')

const fromStandIn = (specifier: string): string => Buffer.from(specifier.slice(STAND_IN.length), 'base64url').toString()

/** The specifier of an import. */
interface Specifier {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Gives the tree of a script; `undefined` for anything else, which has no imports. */
function parsed(context: { parse(code: string): unknown }, code: string): unknown {
  try {
    return context.parse(code)
  } catch {
    return undefined
  }
}

/** Types of nodes whose `source` is a module: static imports, exports from another module, and `import()`. */
const IMPORTING = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration)$/

function sourcesIn(node: unknown): Specifier[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, source } = node as { type?: unknown; source?: Partial<Specifier> | null }
  const isImport = typeof type === 'string' && IMPORTING.test(type) && typeof source?.value === 'string'
  return [...(isImport ? [source as Specifier] : []), ...Object.values(node).flatMap(sourcesIn)]
}
