import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { compressCopies } from '../../copies/copied-images.ts'
import type { ProjectHolder } from './project.ts'

/** Describes what is used of Nuxt and of Nitro, its server's builder. */
interface Nuxt {
  readonly options: { readonly buildDir: string }
  /** Called when Nitro has copied the public folders, before it notes sizes and tags of the copies for its server. */
  hook(name: 'nitro:build:public-assets', action: (nitro: Nitro) => Promise<void>): void
}

interface Nitro {
  readonly options: {
    readonly publicAssets: readonly { readonly dir: string; readonly baseURL?: string }[]
    readonly output: { readonly publicDir: string }
  }
}

/** Those that the hook was added to: Nuxt has Vite resolve a configuration for each of client and server. */
const KNOWN = new WeakSet<Nuxt>()

/** Images of `public/` in Nuxt, which copies them itself after Vite's builds. */
export function nuxtPublicFolders(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:nuxt-public',
    apply: 'build',
    async configResolved({ plugins, root }) {
      if (!plugins.some(({ name }) => name.startsWith('nuxt:'))) return
      const nuxt = await currentNuxt(root)
      if (nuxt === undefined || KNOWN.has(nuxt)) return
      KNOWN.add(nuxt)
      nuxt.hook('nitro:build:public-assets', ({ options }) => compressFolders(holder, nuxt, options))
    },
  }
}

async function compressFolders(
  { current: { session, warn } }: ProjectHolder,
  { options: { buildDir } }: Nuxt,
  { publicAssets, output }: Nitro['options'],
): Promise<void> {
  if (!session.options.publicDir) return
  for (const { dir, baseURL = '/' } of publicAssets) {
    // The files that Vite has built are among them.
    const isBuilt = !path.relative(buildDir, dir).startsWith('..')
    if (!isBuilt) await compressCopies(session, dir, path.join(output.publicDir, baseURL), warn)
  }
  // Vite's builds have ended, each with its report.
  await session.endBuild()
}

/** The Nuxt that builds the project, as its own modules get it. */
async function currentNuxt(root: string): Promise<Nuxt | undefined> {
  try {
    const kit = createRequire(path.join(root, 'nuxt.config.js')).resolve('nuxt/kit')
    const { tryUseNuxt } = (await import(pathToFileURL(kit).href)) as { tryUseNuxt(): Nuxt | null }
    return tryUseNuxt() ?? undefined
  } catch {
    // A Nuxt without a kit, before version 3.
    return undefined
  }
}
