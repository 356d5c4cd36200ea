import { deliverExpression } from '../../modules/deliver.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { bytesForLimit } from '../../session/plan/images.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import { emitImage } from './emit-image.ts'
import type { ImageEmitter } from './emit-image.ts'
import { isBelow } from './inline-limit.ts'
import { buildConfig } from './project.ts'
import type { BuildConfig, BuildContext, ViteProject } from './project.ts'

/** The part of a hook's context that emitting needs. */
export type EmitContext = ImageEmitter & BuildContext

/** The facts of a reference that decide whether its image is inlined. */
export interface InlineRule {
  /** `true` for `?inline`, `false` for `?no-inline`. */
  readonly asked: boolean | undefined
  /** Tells whether the image is itself an input of the build. */
  readonly isEntry: boolean
  /** Fragment of the reference, or empty: a part of an SVG cannot be had from a data URL. */
  readonly hash: string
}

/** Vite's rule of what becomes a `data:` URL (`shouldInline` in its plugins/asset.ts). */
export function isInlined(config: Pick<BuildConfig, 'build'>, image: FinishedImage, rule: InlineRule): boolean {
  if (rule.asked !== undefined) return rule.asked
  if (config.build.lib !== false) return true
  if (rule.isEntry || rule.hash !== '') return false
  const { buffer, byteOffset, byteLength } = bytesForLimit(image)
  return isBelow(config.build.assetsInlineLimit, image.planned.file, Buffer.from(buffer, byteOffset, byteLength))
}

/** An image of a build, and its place. */
export interface PlacedImage {
  readonly image: FinishedImage
  readonly rule: InlineRule
  /** The name of the source in the manifest. */
  readonly sourceName: string
}

/** Gives a JavaScript expression of the image's URL. The image is emitted unless it is inlined or uploaded. */
export function assetExpression(
  project: ViteProject,
  context: EmitContext,
  { image, rule, sourceName }: PlacedImage,
): Promise<string> {
  const inline = isInlined(buildConfig(project, context), image, rule)
  const emit = (): Promise<string> => emitAsset(project, context, image, sourceName)
  return deliverExpression(project.session, image, { inline, emit }, rule.hash)
}

/** Emits the image under a name that the bundler makes of its bytes; gives a JavaScript expression of its URL. */
async function emitAsset(
  project: ViteProject,
  context: EmitContext,
  image: FinishedImage,
  sourceName: string,
): Promise<string> {
  const { config } = project
  const name = await distinctName(project.session, image)
  const reference = emitImage(project, context, { name, originalFileName: sourceName, source: image.data })
  // Vite resolves one of the two with `base`, `renderBuiltUrl` and the kind of environment in mind: from some 8.x on
  // the former, before that only the latter. Its double quotes matter, as a URL known at run time is spliced in
  // between.
  return resolvesFileUrls(config) ? `import.meta.ROLLUP_FILE_URL_${reference}` : `"__VITE_ASSET__${reference}__"`
}

function resolvesFileUrls(config: ViteProject['config']): boolean {
  return config.plugins.some((plugin) => plugin.name === 'vite:asset' && 'resolveFileUrl' in plugin)
}
