import path from 'node:path'
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite'
import type { ProjectHolder } from './project.ts'

type InlineLimit = NonNullable<NonNullable<EnvironmentOptions['build']>['assetsInlineLimit']>

/**
 * The project's own files in everything that speaks of sources: callbacks for names and inlining, and the manifest. Where
 * CSS and HTML refer to an image, Vite knows but the file in the cache folder.
 */
export function outputNames(holder: ProjectHolder): Plugin[] {
  return [sourcesInCallbacks(holder), sourcesInManifest(holder)]
}

function sourcesInCallbacks(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:names',
    enforce: 'post',
    apply: 'build',
    configEnvironment(_name, { build }) {
      const limit = build?.assetsInlineLimit
      if (typeof limit !== 'function') return null
      const onSource: InlineLimit = (file, content) => limit(holder.current.sources.fileOf(file), content)
      return { build: { assetsInlineLimit: onSource } }
    },
    outputOptions(options) {
      const { assetFileNames } = options
      if (typeof assetFileNames !== 'function') return null
      return { ...options, assetFileNames: (asset) => assetFileNames(withSources(asset, holder)) }
    },
  }
}

function sourcesInManifest(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:manifest',
    enforce: 'post',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config }) => config.build.manifest !== false,
    generateBundle: {
      // After Vite has made its manifest.
      order: 'post',
      handler(_options, bundle) {
        const { manifest } = this.environment.config.build
        const file = manifest === true ? path.posix.join('.vite', 'manifest.json') : manifest
        const asset = file === false ? undefined : bundle[file]
        if (asset?.type === 'asset') asset.source = withSourceKeys(asset.source.toString(), holder)
      },
    },
  }
}

function withSources(asset: Rolldown.PreRenderedAsset, { current }: ProjectHolder): Rolldown.PreRenderedAsset {
  const names = asset.originalFileNames.map((name) => withoutQuery(current.sources.nameOf(name)))
  return { ...asset, originalFileNames: names }
}

/**
 * The manifest keyed by sources: `src/a.png` for the image as the project's options make it, `src/a.png?w=400` for what
 * directives make of it.
 */
function withSourceKeys(text: string, { current }: ProjectHolder): string {
  const manifest = JSON.parse(text) as Record<string, { src?: string }>
  const renamed = new Map<string, { src?: string }>()
  for (const [key, entry] of Object.entries(manifest)) {
    const name = current.sources.nameOf(key)
    // What a script imports was emitted under its own name, which comes first.
    if (name !== key && Object.hasOwn(manifest, name)) continue
    renamed.set(name, entry.src === key ? { ...entry, src: name } : entry)
  }
  const sorted = [...renamed].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(sorted), null, 2)
}

const withoutQuery = (name: string): string => name.replace(/\?.*$/s, '')
