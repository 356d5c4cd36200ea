import { fileURLToPath } from 'node:url'

const inPlayground = (name: string): string => fileURLToPath(new URL(`../playground/${name}.ts`, import.meta.url))

/** Modules of Node that the engine's parts import, with those that stand for them in a browser. */
const OF_NODE: ReadonlyMap<string, string> = new Map([
  ['node:zlib', inPlayground('zlib')],
  ['node:async_hooks', inPlayground('async-hooks')],
  ['node:diagnostics_channel', inPlayground('diagnostics-channel')],
])

/**
 * Lets the playground import parts of the engine's sources: they name a few modules of Node, of which a browser needs
 * little. Only builds for browsers get them.
 */
export const browserModules = () => ({
  name: 'docs:browser-modules',
  enforce: 'pre' as const,
  resolveId: (id: string, importer: string | undefined) =>
    importer?.includes('/packages/core/src/') === true ? OF_NODE.get(id) : undefined,
})

/**
 * Keeps the style of the pages' shared components to the parts of the site that ask for it with the class `face`, as
 * VitePress has headings, lists and buttons of its own.
 */
export const faceStyle = () => ({
  name: 'docs:face-style',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/face/style/components.css') ? `.face {\n${code}\n}\n` : undefined,
})
