import path from 'node:path'
import type { Plugin } from 'vite'
import { withoutTimings } from '../rollup/rolldown-only.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import { hasImageTool } from './emitted-images.ts'
import type { ProjectHolder, ViteProject } from './project.ts'

/** Ends the session's build: once for all environments where Vite builds them as one app. */
export function buildReport(holder: ProjectHolder): Plugin[] {
  let hasFailed = false
  return [
    {
      name: 'pixpress:app-start',
      apply: 'build',
      buildApp: {
        order: 'pre',
        handler: () => Promise.resolve(holder.current.session.joinBuilds(Infinity)),
      },
    },
    {
      name: 'pixpress:report',
      apply: 'build',
      enforce: 'post',
      buildApp: {
        order: 'post',
        async handler({ environments }) {
          const { session } = holder.current
          const all = Object.values(environments)
          const isWatching = all.some(({ config }) => config.build.watch !== null)
          if (all.some(({ isBuilt }) => isBuilt)) {
            session.joinBuilds(0)
            if (!isWatching) await session.endBuild(hasFailed ? undefined : nameOf(holder.current))
          } else {
            // Nobody has built anything: Vite is about to build every environment.
            session.joinBuilds(all.length)
          }
        },
      },
      options(options) {
        return this.meta.rolldownVersion === undefined ? null : withoutTimings(options)
      },
      buildEnd(error) {
        // The builds that were to follow are not going to.
        hasFailed ||= error !== undefined
        if (error !== undefined) holder.current.session.joinBuilds(0)
      },
      writeBundle({ dir }) {
        const { session, config } = holder.current
        // Nobody knows which images such a tool has taken from a cache of its own.
        if (dir !== undefined && !hasImageTool(config)) session.leftAlone.output({ folder: path.resolve(dir) })
      },
      closeBundle: {
        order: 'post',
        sequential: true,
        handler: () => holder.current.session.endBuild(hasFailed ? undefined : nameOf(holder.current)),
      },
    },
  ]
}

/** Vite asks for every image in every build, but for those that it watches. */
function nameOf({ config }: ViteProject): string | undefined {
  const { watch, ssr, outDir } = config.build
  return watch === null ? wholeBuild('vite', config.mode, ssr !== false, outDir) : undefined
}
