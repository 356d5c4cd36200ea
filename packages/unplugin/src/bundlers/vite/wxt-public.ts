import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { compressCopies } from '../../copies/copied-images.ts'
import type { ProjectHolder } from './project.ts'

/** Describes what is used of WXT. */
interface Wxt {
  readonly config: { readonly command: string; readonly publicDir: string; readonly outDir: string }
  /** Called when the whole extension is written. */
  hook(name: 'build:done', action: (wxt: Wxt) => Promise<void>): void
}

/** Those that the hook was added to: WXT has Vite resolve a configuration for each of its entry points. */
const KNOWN = new WeakSet<Wxt>()

/** Images of `public/` in browser extensions that WXT builds: it copies them itself after Vite's builds. */
export function wxtPublicFolder(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:wxt-public',
    apply: 'build',
    async configResolved({ plugins, root }) {
      if (!plugins.some(({ name }) => name.startsWith('wxt:'))) return
      const wxt = await currentWxt(root)
      if (wxt === undefined || KNOWN.has(wxt)) return
      KNOWN.add(wxt)
      wxt.hook('build:done', ({ config }) => compressFolder(holder, config))
    },
  }
}

async function compressFolder({ current: { session, warn } }: ProjectHolder, config: Wxt['config']): Promise<void> {
  // Its dev server writes an extension as well, which nobody is to wait for.
  if (!session.options.publicDir || config.command !== 'build') return
  await compressCopies(session, config.publicDir, config.outDir, warn)
  // Vite's builds have ended, each with its report.
  await session.endBuild()
}

/** The WXT that builds the project, as its own modules get it. Its entry does not export it. */
async function currentWxt(root: string): Promise<Wxt | undefined> {
  try {
    const entry = createRequire(path.join(root, 'wxt.config.js')).resolve('wxt')
    const holder = path.join(path.dirname(entry), 'core', 'wxt.mjs')
    return ((await import(pathToFileURL(holder).href)) as { wxt?: Wxt }).wxt
  } catch {
    // Another version of WXT, which keeps it elsewhere: the folder stays as it was copied.
    return undefined
  }
}
