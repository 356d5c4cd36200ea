import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, ResolvedConfig, Rolldown } from 'vite'
import { IMAGE_FILE } from '../../base/paths.ts'
import { splitUrl } from '../../references/url.ts'
import type { PlannedImage, Warn } from '../../session/plan/images.ts'
import { isEmittedHere } from './emit-image.ts'
import type { ProjectHolder, ViteProject } from './project.ts'

/** Plugins of Vite itself, of its bundler and of this package, by their names. */
const OF_THE_HOUSE = /^(?:vite|builtin|native|rolldown|pixpress):|^(?:alias|commonjs|pixpress)$/

/**
 * Plugins that make images of their own: smaller ones already, sources of further ones, or files that they list by
 * their hashes.
 */
const MAKES_IMAGES = /imagetools|enhanced-img|^astro:assets|:pwa-assets$/

/** Characters of a hash in a name where its pattern says nothing else: Rollup's own default. */
const HASH_LENGTH = 8

/** Rollup's default pattern of names; Vite gives its own. */
const DEFAULT_PATTERN = 'assets/[name]-[hash][extname]'

/**
 * Images that other plugins emit with their bytes (`this.emitFile`), without a module: compressed in place, in their
 * own type, as files of `public/` are.
 *
 * A bundler names them by the bytes that were emitted, before a hook that may wait sees them. So the hash in such a
 * name is that of the plan instead, which stands for source, options and versions: equal names have equal bytes, and
 * scripts and manifests hold the final name from the beginning.
 */
export function emittedImages(holder: ProjectHolder): Plugin {
  /** Names that the bundler asked for a pattern for, and those among them of images that are worked on here. */
  const [asked, taken] = [new Set<string>(), new Set<string>()]
  return {
    name: 'pixpress:emitted',
    enforce: 'post',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: () => isWanted(holder),
    outputOptions(options) {
      // Vite 5 has the hook called in any case.
      if (!isWanted(holder)) return null
      const { assetFileNames = DEFAULT_PATTERN, hashCharacters = 'base64' } = options
      return {
        ...options,
        assetFileNames(asset) {
          const pattern = typeof assetFileNames === 'function' ? assetFileNames(asset) : assetFileNames
          const names = namesOf(asset)
          for (const name of names) asked.add(name)
          const planned = plannedOf(holder.current, asset, names)
          if (planned?.plan === undefined) return pattern
          for (const name of names) taken.add(name)
          return withHash(pattern, planned.plan.key, hashCharacters)
        },
      }
    },
    generateBundle: {
      // Other plugins emit in a hook of this name.
      order: 'post',
      async handler(_options, bundle) {
        if (!isWanted(holder)) return
        const project = holder.current
        const warn: Warn = (message) => this.warn(message)
        const compressed = Object.values(bundle).map(async (file) => {
          if (file.type !== 'asset' || !IMAGE_FILE.test(file.fileName)) return
          const names = namesOf(file)
          // One for whose name nobody asked was emitted under a name that is final.
          if (!names.some((name) => taken.has(name)) && names.some((name) => asked.has(name))) return
          const planned = plannedOf(project, file, names.length === 0 ? [file.fileName] : names)
          if (planned === undefined || (await project.session.isSettled(planned.source))) return
          const { data } = await project.session.finish(planned, warn)
          if (data.length < planned.source.length) file.source = data
        })
        await Promise.all(compressed)
      },
    },
  }
}

function isWanted({ current }: ProjectHolder): boolean {
  const { session, config } = current
  return session.options.publicDir && config.plugins.some(({ name }) => !OF_THE_HOUSE.test(name))
}

/** An asset as far as bundlers tell of it, before it has a name and afterwards. */
type Asset = Pick<Rolldown.PreRenderedAsset, 'names' | 'originalFileNames' | 'source'>

/** The names that an asset was emitted under. Vite 5 itself asks for the names of stylesheets with fewer members. */
const namesOf = (asset: Partial<Pick<Asset, 'names'>> & { readonly name?: string | undefined }): readonly string[] =>
  asset.names ?? (asset.name === undefined ? [] : [asset.name])

/** Plans an asset's image if it is another plugin's to emit, and nobody wants it as it is. */
function plannedOf(
  project: ViteProject,
  { source, originalFileNames = [] }: Partial<Asset>,
  [name]: readonly string[],
): PlannedImage | undefined {
  if (name === undefined || source === undefined || !IMAGE_FILE.test(name)) return undefined
  const { session, config, leftAlone } = project
  if (typeof source !== 'string' && isEmittedHere(project, source)) return undefined
  const originals = originalFileNames.map((each) => path.resolve(config.root, splitUrl(each).path))
  const file = originals[0] ?? path.join(config.root, name)
  if (!session.matches(file) || originals.some((each) => leftAlone.has(each))) return undefined
  const bytes = typeof source === 'string' ? Buffer.from(source) : source
  // Results of a tool for images are not compressed twice; a file that is passed on as it is was made by none.
  const isMade = hasImageTool(config) && !isCopy(originals, bytes)
  return isMade ? undefined : session.planBytes(file, bytes, 'typed')
}

/** Tells whether a plugin makes images of its own. */
export const hasImageTool = ({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean =>
  plugins.some(({ name }) => MAKES_IMAGES.test(name))

/** Tells whether bytes are those of the file that they come from. */
function isCopy([file]: readonly string[], bytes: Uint8Array): boolean {
  try {
    return file !== undefined && readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}

type HashCharacters = NonNullable<Rolldown.OutputOptions['hashCharacters']>

/** Fills a pattern's places for a hash. @param key hexadecimal digits */
function withHash(pattern: string, key: string, characters: HashCharacters): string {
  const text = {
    base64: () => Buffer.from(key, 'hex').toString('base64url'),
    base36: () => BigInt(`0x${key}`).toString(36),
    hex: () => key,
  }[characters]()
  return pattern.replaceAll(/\[hash(?::(\d+))?\]/g, (_, length?: string) =>
    text.slice(0, length === undefined ? HASH_LENGTH : Number(length)),
  )
}
