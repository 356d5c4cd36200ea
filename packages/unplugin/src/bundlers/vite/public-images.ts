import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Rolldown } from 'vite'
import { copiedImages } from '../../copies/copied-images.ts'
import { exportDefault } from '../../modules/asset-module.ts'
import { readQuery } from '../../modules/reference.ts'
import { decodePath } from '../../references/url.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { assetExpression } from './build-asset.ts'
import type { EmitContext } from './build-asset.ts'
import { emitImage } from './emit-image.ts'
import { buildConfig } from './project.ts'
import type { LocatedImage, ViteProject } from './project.ts'

/**
 * Images of the public folder keep their name and format. Where `convert` finds a smaller format, what shows one gets
 * the URL of a converted copy, which has a name of its own.
 *
 * Returns the copy, as it is emitted; `undefined` where the image stays in its format.
 */
async function convertedCopy(project: ViteProject, file: string, warn: Warn): Promise<FinishedImage | undefined> {
  const { session } = project
  const planned = await session.plan(file, 'content')
  if (planned.plan === undefined || planned.plan.operations.types === null) return undefined
  const tried = await session.trial(planned, warn)
  if (tried.type === planned.plan.type || tried.missing !== undefined) return undefined
  project.shownCopies.add(file)
  return session.finish(planned, warn)
}

/** The image of the public folder that a URL in a page or stylesheet stands for, where a converted copy replaces it. */
export async function locateConverted(project: ViteProject, url: string): Promise<LocatedImage | undefined> {
  const file = project.isServed || /[?#]/.test(url) ? undefined : await project.locatePublic(url)
  const copy = file === undefined ? undefined : await convertedCopy(project, file, project.warn)
  // Vite never inlines an image of the public folder.
  return copy && { file: copy.planned.file, query: readQuery('?no-inline'), hash: '' }
}

/** The module of an image of the public folder that a script imports by its URL; `undefined` where it is Vite's. */
export async function convertedModule(
  project: ViteProject,
  context: EmitContext & Pick<Rolldown.PluginContext, 'warn'>,
  id: string,
): Promise<string | undefined> {
  const file = project.isServed || /[?#]/.test(id) ? undefined : await project.locatePublic(id)
  const image = file === undefined ? undefined : await convertedCopy(project, file, (message) => context.warn(message))
  if (image === undefined) return undefined
  const rule = { asked: false, isEntry: false, hash: '' }
  const sourceName = path.relative(project.config.root, image.planned.file).split(path.sep).join('/')
  return exportDefault(await assetExpression(project, context, { image, rule, sourceName }))
}

/** The images of the public folder that scripts may name by their URLs. */
export interface PublicUrls {
  /** Those that a string of a script names: by the whole URL, or by its end where the rest is put before it. */
  namedBy(text: string): readonly string[]
  /**
   * Emits the converted copy of one beside the image itself. A build for a server only names what the client's build
   * writes.
   */
  converted(context: EmitContext, url: string, warn: Warn): Promise<ConvertedUrl | undefined>
}

/** The URL of a converted copy. */
export interface ConvertedUrl {
  /** Not encoded, like the URL of the image itself. */
  readonly url: string
  /** Bytes that the copy is smaller. */
  readonly saved: number
}

/** Looks up the images of a project's public folder. `undefined` where nobody knows their URLs, or there are none. */
export async function openPublicUrls(project: ViteProject): Promise<PublicUrls | undefined> {
  const { config, session } = project
  const base = baseOf(project)
  if (base === undefined) return undefined
  const files = (await copiedImages(session, config.publicDir)).filter((file) => !/\.svg$/i.test(file))
  if (files.length === 0) return undefined
  const nameOf = (file: string): string => path.relative(config.publicDir, file).split(path.sep).join('/')
  const byUrl = new Map(files.map((file) => [base + nameOf(file), file]))
  const byEnd = new Map<string, string[]>()
  for (const url of byUrl.keys()) {
    for (const { index } of url.matchAll(/\//g)) {
      for (const end of [url.slice(index), url.slice(index + 1)]) byEnd.set(end, [...(byEnd.get(end) ?? []), url])
    }
  }
  const isTaken = (name: string): boolean => existsSync(path.join(config.publicDir, name))
  return {
    namedBy: (text) => byEnd.get(decodePath(text)) ?? [],
    async converted(context, url, warn) {
      const file = byUrl.get(decodePath(url))
      const copy = file === undefined ? undefined : await convertedCopy(project, file, warn)
      if (file === undefined || copy === undefined) return undefined
      const fileName = nameBeside(copy, nameOf(file), isTaken)
      if (buildConfig(project, context).build.ssr === false && !project.emittedCopies.has(fileName)) {
        project.emittedCopies.add(fileName)
        emitImage(project, context, { fileName, source: copy.data })
      }
      const own = await session.trial(await session.plan(file, 'public'), warn)
      return { url: base + fileName, saved: own.data.length - copy.data.length }
    },
  }
}

/**
 * The text before the names of the public folder in URLs of scripts. Where `base` is relative, a URL from the root is
 * its author's word that the site is there.
 */
function baseOf({ config, session }: ViteProject): string | undefined {
  const { base, build, publicDir } = config
  // A build for a server copies nothing, and names what the client's build copies.
  if (publicDir === '' || !(build.copyPublicDir || build.ssr) || !session.options.publicDir) return undefined
  return base === '' || base === './' ? '/' : base
}

/** Digits of the hash in the name of a converted copy. */
const HASH_LENGTH = 8

/** Names a converted copy after the image beside it, and by its content, so that it takes the name of no file. */
function nameBeside(image: FinishedImage, beside: string, isTaken: (name: string) => boolean): string {
  const { dir, name: stem } = path.posix.parse(beside)
  const hash = createHash('sha256').update(image.data).digest('hex')
  const named = (length: number): string =>
    path.posix.join(dir, `${stem}-${hash.slice(0, length)}${path.extname(image.name)}`)
  return isTaken(named(HASH_LENGTH)) ? named(hash.length) : named(HASH_LENGTH)
}
