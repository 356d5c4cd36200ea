import path from 'node:path'
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite'
import { buildConfig } from './project.ts'
import type { ProjectHolder } from './project.ts'

type InlineLimit = NonNullable<NonNullable<EnvironmentOptions['build']>['assetsInlineLimit']>

/**
 * The project's own files wherever sources are named: callbacks for names and inlining, and the manifest. Where
 * CSS and HTML refer to an image, Vite only knows the file in the cache folder.
 */
export function outputNames(holder: ProjectHolder): Plugin[] {
  return [sourcesInCallbacks(holder), sourcesInManifest(holder)]
}

function sourcesInCallbacks(holder: ProjectHolder): Plugin {
  function onSources(build: EnvironmentOptions['build']): { build: { assetsInlineLimit: InlineLimit } } | null {
    const limit = build?.assetsInlineLimit
    if (typeof limit !== 'function') return null
    const onSource: InlineLimit = (file, content) => limit(holder.current.sources.fileOf(file), content)
    return { build: { assetsInlineLimit: onSource } }
  }

  return {
    name: 'pixpress:names',
    enforce: 'post',
    apply: 'build',
    // All that Vite 5 asks. A callback that is wrapped for an environment again still sees the source.
    config: ({ build }) => onSources(build),
    configEnvironment: (_name, { build }) => onSources(build),
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
        const { manifest } = buildConfig(holder.current, this).build
        // Vite 5 has the hook called in any case, and its answer may be absent.
        const file = manifest === true ? path.posix.join('.vite', 'manifest.json') : manifest
        const asset = file === false || file === undefined ? undefined : bundle[file]
        if (asset?.type === 'asset') asset.source = withSourceKeys(asset.source.toString(), holder)
      },
    },
  }
}

function withSources(asset: Rolldown.PreRenderedAsset, { current }: ProjectHolder): Rolldown.PreRenderedAsset {
  // Vite 5 itself asks for the names of stylesheets, without saying where they are from.
  const given = asset.originalFileNames as readonly string[] | undefined
  if (given === undefined) return asset
  const names = given.map((name) => withoutQuery(current.sources.nameOf(name)))
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
    // An image that a script imports was emitted under its own name, which comes first.
    if (name !== key && Object.hasOwn(manifest, name)) continue
    // One that a script and a page refer to is one asset of two names, and `src` is either.
    renamed.set(
      name,
      entry.src === undefined ? entry : { ...entry, src: entry.src === key ? name : current.sources.nameOf(entry.src) },
    )
  }
  const sorted = [...renamed].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(sorted), null, 2)
}

const withoutQuery = (name: string): string => name.replace(/\?.*$/s, '')
