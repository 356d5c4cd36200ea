import path from 'node:path'
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite'
import { relativePath } from '../../core/relative-path.ts'
import type { ProjectHolder } from './project.ts'

type InlineLimit = NonNullable<NonNullable<EnvironmentOptions['build']>['assetsInlineLimit']>

/**
 * The project's own files in everything that speaks of sources: callbacks for names and inlining, and the manifest. Vite
 * would show the files in the cache folder where CSS and HTML refer to an image.
 */
export function outputNames(holder: ProjectHolder): Plugin {
  const sourceOf = (file: string): string => holder.current.session.sourceOf(file) ?? file
  const sourceName = (name: string): string => {
    const { root } = holder.current.config
    const source = holder.current.session.sourceOf(path.resolve(root, name))
    return source === undefined ? name : relativePath(root, source)
  }
  return {
    name: 'pixpress:names',
    enforce: 'post',
    apply: 'build',
    configEnvironment(_name, { build }) {
      const limit = build?.assetsInlineLimit
      if (typeof limit !== 'function') return
      const onSource: InlineLimit = (file, content) => limit(sourceOf(file), content)
      return { build: { assetsInlineLimit: onSource } }
    },
    outputOptions(options) {
      const { assetFileNames } = options
      if (typeof assetFileNames !== 'function') return null
      return { ...options, assetFileNames: (asset) => assetFileNames(withSources(asset, sourceName)) }
    },
    generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type === 'asset' && asset.originalFileNames.some((name) => sourceName(name) !== name)) {
          asset.originalFileNames.splice(0, Infinity, ...asset.originalFileNames.map(sourceName))
        }
      }
    },
  }
}

function withSources(
  asset: Rolldown.PreRenderedAsset,
  sourceName: (name: string) => string,
): Rolldown.PreRenderedAsset {
  return { ...asset, originalFileNames: asset.originalFileNames.map(sourceName) }
}
