import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { Warn } from '../../session/plan/images.ts'
import { compressCopies } from '../../copies/copied-images.ts'
import { updatePrecacheRevisions } from './precache-revisions.ts'
import { buildConfig } from './project.ts'
import type { BuildConfig, ProjectHolder } from './project.ts'

/** Images of `public/`, which Vite copies as they are: compressed in each output folder that received them. */
export function publicFolder(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:public',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config }) => isCopied(holder, config),
    writeBundle: {
      // Others look at the output afterwards: for a list of files with hashes of their content, say.
      order: 'pre',
      sequential: true,
      async handler({ dir }) {
        const { session } = holder.current
        const config = buildConfig(holder.current, this)
        // Vite 5 has the hook called in any case.
        if (!isCopied(holder, config)) return
        const { root, publicDir, build } = config
        const warn: Warn = (message) => this.warn(message)
        const outDir = path.resolve(root, dir ?? build.outDir)
        await compressCopies(session, publicDir, outDir, warn)
        updatePrecacheRevisions(holder.current.config, outDir)
      },
    },
  }
}

function isCopied({ current }: ProjectHolder, { publicDir, build }: BuildConfig): boolean {
  return current.session.options.publicDir && build.copyPublicDir && publicDir !== '' && existsSync(publicDir)
}
