import path from 'node:path'
import type { Plugin } from 'vite'
import { IMAGE_FILE } from '../../base/paths.ts'
import { filesOf } from '../../base/files.ts'
import { compressCopy, findSources } from '../../copies/sources.ts'
import { buildConfig } from './project.ts'
import type { ProjectHolder } from './project.ts'
import { outputFolder } from './public-folder.ts'

/** Plugins that copy files into the output, past the bundler: vite-plugin-static-copy, rollup-plugin-copy. */
const COPIES = /(?:^|[-:])copy(?:[-:]|$)/i

/**
 * Images that other plugins copy into the output: compressed in place, in their own type, as files of `public/` are. A
 * copy is told by its bytes, which are those of a file of the project.
 */
export function pluginCopies(holder: ProjectHolder): Plugin {
  /** Absolute paths of the files that the bundler wrote, by output folder. */
  const written = new Map<string, Set<string>>()
  return {
    name: 'pixpress:plugin-copies',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: () => isWanted(holder),
    writeBundle({ dir }, bundle) {
      // Vite 5 has the hook called in any case.
      if (!isWanted(holder)) return
      const folder = outputFolder(buildConfig(holder.current, this), dir)
      const files = Object.keys(bundle).map((name) => path.join(folder, name))
      written.set(folder, new Set([...(written.get(folder) ?? []), ...files]))
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const { session, warn } = holder.current
        for (const [folder, files] of written) {
          const copies = (await filesOf(folder)).filter((file) => IMAGE_FILE.test(file) && !files.has(file))
          if (copies.length === 0) continue
          const sources = await findSources(session, folder)
          for (const copy of copies) await compressCopy(session, copy, sources, warn, 'public')
        }
        written.clear()
      },
    },
  }
}

function isWanted({ current: { session, config } }: ProjectHolder): boolean {
  return session.options.publicDir && config.build.write && config.plugins.some(({ name }) => COPIES.test(name))
}
