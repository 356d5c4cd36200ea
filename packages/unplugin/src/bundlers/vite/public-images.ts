import type { Rolldown } from 'vite'
import { convertedCopy, triedCopy } from '../../copies/converted-copy.ts'
import { copiedImages } from '../../copies/copied-images.ts'
import { exportDefault } from '../../modules/asset-module.ts'
import { readQuery } from '../../modules/reference.ts'
import { decodePath } from '../../references/url.ts'
import { relativePath } from '../../base/paths.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { assetExpression } from './build-asset.ts'
import type { EmitContext } from './build-asset.ts'
import type { LocatedImage, ViteProject } from './project.ts'

/**
 * Images of the public folder keep their name and format. Where `convert` finds a smaller format, what shows one gets
 * the URL of a converted copy, which has a name of its own.
 *
 * Returns the copy, as it is emitted; `undefined` where the image stays in its format.
 */
async function shownCopy(project: ViteProject, file: string, warn: Warn): Promise<FinishedImage | undefined> {
  const copy = await convertedCopy(project.session, file, warn)
  if (copy !== undefined) project.shownCopies.add(file)
  return copy
}

/** The image of the public folder that a URL in a page or stylesheet stands for, where a converted copy replaces it. */
export async function locateConverted(project: ViteProject, url: string): Promise<LocatedImage | undefined> {
  const file = project.isServed || /[?#]/.test(url) ? undefined : await project.locatePublic(url)
  const copy = file === undefined ? undefined : await shownCopy(project, file, project.warn)
  // Vite never inlines an image of the public folder.
  return copy && { file: copy.planned.file, query: readQuery('?no-inline'), hash: '' }
}

/** The module of an image of the public folder that a script imports by its URL; `undefined` where it is Vite's. */
export async function convertedModule(
  project: ViteProject,
  context: ConvertContext,
  id: string,
): Promise<string | undefined> {
  const file = project.isServed || /[?#]/.test(id) ? undefined : await project.locatePublic(id)
  const image = file === undefined ? undefined : await shownCopy(project, file, (message) => context.warn(message))
  return image && exportDefault(await emitCopy(project, context, image))
}

/** The images of the public folder that scripts may name by their URLs. */
export interface PublicUrls {
  /** Tells whether a text is the URL of one. */
  has(text: string): boolean
  /** Those that a string of a script names: by the whole URL, or by its end where the rest is put before it. */
  namedBy(text: string): readonly string[]
  /** Makes the converted copy of one; `undefined` where it stays in its format. */
  converted(url: string, context: ConvertContext): Promise<ConvertedUrl | undefined>
}

/** A converted copy. */
interface ConvertedUrl {
  /** Bytes that it is smaller than the compressed image of the public folder. */
  readonly saved: number
  /** Puts it into the output. @returns JavaScript whose value is its URL */
  emit(): Promise<string>
}

type ConvertContext = EmitContext & Pick<Rolldown.PluginContext, 'warn'>

async function convertedUrl(
  project: ViteProject,
  context: ConvertContext,
  file: string,
): Promise<ConvertedUrl | undefined> {
  const { session } = project
  const warn: Warn = (message) => context.warn(message)
  const tried = await triedCopy(session, file, warn)
  if (tried === undefined) return undefined
  const own = await session.trial(await session.plan(file, 'public'), warn)
  return {
    saved: own.data.length - tried.data.length,
    emit: async () => emitCopy(project, context, (await shownCopy(project, file, warn))!),
  }
}

/** See `ConvertedUrl`. */
function emitCopy(project: ViteProject, context: EmitContext, image: FinishedImage): Promise<string> {
  const rule = { asked: false, isEntry: false, hash: '' }
  const sourceName = relativePath(project.config.root, image.planned.file)
  return assetExpression(project, context, { image, rule, sourceName })
}

/** Looks up the images of a project's public folder; `undefined` where no URL of a script can stand for one. */
export async function openPublicUrls(project: ViteProject): Promise<PublicUrls | undefined> {
  const { config, session } = project
  const { base, publicDir } = config
  if (publicDir === '' || !session.options.publicDir) return undefined
  const files = (await copiedImages(session, publicDir)).filter((file) => !/\.svg$/i.test(file))
  // Where `base` is relative, a URL from the root is its author's word that the site is there.
  const root = base === '' || base === './' ? '/' : base
  const byUrl = new Map(files.map((file) => [root + relativePath(publicDir, file), file]))
  const byEnd = new Map<string, string[]>()
  for (const url of byUrl.keys()) {
    const starts = [...url.matchAll(/\//g)].flatMap(({ index }) => [index, index + 1])
    for (const start of new Set([0, ...starts])) {
      const end = url.slice(start)
      byEnd.set(end, [...(byEnd.get(end) ?? []), url])
    }
  }
  return {
    has: (text) => byUrl.has(decodePath(text)),
    namedBy: (text) => byEnd.get(decodePath(text)) ?? [],
    converted: (url, context) => convertedUrl(project, context, byUrl.get(url)!),
  }
}
