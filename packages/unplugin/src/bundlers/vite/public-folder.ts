import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { Warn } from '../../session/plan/images.ts'
import { compressCopies } from '../../copies/copied-images.ts'
import { noteUnnamedCopies } from '../../copies/unnamed-copies.ts'
import { holdsPrecache, updatePrecacheRevisions } from './precache-revisions.ts'
import { buildConfig } from './project.ts'
import type { BuildConfig, ProjectHolder } from './project.ts'

/** Images of `public/`, which Vite copies as they are: compressed in each output folder that received them. */
export function publicFolder(holder: ProjectHolder): Plugin[] {
  return [compressedCopies(holder), precachedCopies(holder), unnamedCopies(holder)]
}

function compressedCopies(holder: ProjectHolder): Plugin {
  const running: Promise<void>[] = []
  return {
    name: 'pixpress:public',
    apply: 'build',
    applyToEnvironment: ({ config }) => isCopied(holder, config),
    // A hook that sees the bundle would have Rolldown translate all of its assets for it: a tenth of a warm build.
    renderStart: {
      // Vite copies the folder in a hook of this name that comes first, or before all of them.
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        const { session } = holder.current
        const config = buildConfig(holder.current, this)
        // Vite 5 has the hook called in any case.
        if (!isCopied(holder, config)) return
        const warn: Warn = (message) => this.warn(message)
        running.push(compressCopies(session, config.publicDir, outputFolder(config, dir), warn))
        await running.at(-1)
      },
    },
    // Rolldown before 1.2 goes on meanwhile.
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        await Promise.all(running.splice(0))
      },
    },
  }
}

/** Builds with a service worker, whose list of files holds digests of the copies. */
function precachedCopies(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:precache',
    apply: 'build',
    applyToEnvironment: ({ config }) => holdsPrecache(holder.current.config) && isCopied(holder, config),
    writeBundle: {
      // Others look at the output afterwards: for a list of files with hashes of their content, say.
      order: 'pre',
      sequential: true,
      handler({ dir }) {
        const config = buildConfig(holder.current, this)
        if (isCopied(holder, config)) updatePrecacheRevisions(holder.current.config, outputFolder(config, dir))
      },
    },
  }
}

/** Names the copies that nothing names, when the whole output is written. */
function unnamedCopies(holder: ProjectHolder): Plugin {
  const folders = new Map<string, string>()
  return {
    name: 'pixpress:unnamed',
    apply: 'build',
    applyToEnvironment: ({ config }) => config.consumer === 'client' && isCopied(holder, config),
    renderStart({ dir }) {
      const config = buildConfig(holder.current, this)
      // Vite 5 has the hook called in any case.
      if (config.build.ssr === false && isCopied(holder, config))
        folders.set(outputFolder(config, dir), config.publicDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const { session, shownCopies } = holder.current
        for (const [outDir, publicDir] of folders) await noteUnnamedCopies(session, publicDir, outDir, shownCopies)
        folders.clear()
      },
    },
  }
}

/** The folder that the output of a build goes to; absolute path. */
export const outputFolder = ({ root, build }: BuildConfig, dir: string | undefined): string =>
  path.resolve(root, dir ?? build.outDir)

/** Tells whether a build copies the public folder, and its images are compressed there. */
export function isCopied({ current }: ProjectHolder, { publicDir, build }: BuildConfig): boolean {
  return (
    current.session.options.publicDir && build.write && build.copyPublicDir && publicDir !== '' && existsSync(publicDir)
  )
}
