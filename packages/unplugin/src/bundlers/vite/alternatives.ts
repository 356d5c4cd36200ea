import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { copiedImages } from '../../copies/copied-images.ts'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import type { Output } from '../../fallbacks/offer-alternatives.ts'
import { markOf, unmarked } from '../../fallbacks/marks.ts'
import { sparePictures } from '../../fallbacks/picture-selectors.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { finishReference } from '../../modules/reference.ts'
import { splitUrl } from '../../references/url.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { emitImage } from './emit-image.ts'
import { buildConfig } from './project.ts'
import { isCopied, outputFolder } from './public-folder.ts'
import type { BuildConfig, LocatedImage, ProjectHolder, ViteProject } from './project.ts'

/**
 * Tells whether pages and stylesheets of a project offer images in several types: in builds, as that takes finished
 * images.
 */
export function offersOthers({ session, isServed }: ViteProject): boolean {
  return session.alternatives.isWanted && !isServed
}

/** The URL of an image in a stylesheet, with the mark of what will be offered beside it. */
export async function withMark(project: ViteProject, image: LocatedImage, url: string): Promise<string> {
  if (url.startsWith('data:') || splitUrl(url).hash !== '') return url
  const { session, warn } = project
  const own = await finishReference(session, image, 'beside', warn)
  return own === undefined ? url : url + (await markOf(session, own, warn))
}

/** The same of an image of the public folder, which keeps its URL. @returns `undefined` where nothing is offered */
export async function withPublicMark(project: ViteProject, url: string): Promise<string | undefined> {
  const { session, config, warn } = project
  const { publicDir, build, root } = config
  if (!session.options.publicDir || !build.copyPublicDir || splitUrl(url).hash !== '') return undefined
  const file = await project.locatePublic(url)
  if (file === undefined) return undefined
  session.expectCopies(publicDir, path.resolve(root, build.outDir))
  const own = await session.finish(session.planBytes(file, await session.files.readFile(file), 'public'), warn)
  const mark = await markOf(session, own, warn)
  return mark === '' ? undefined : url + mark
}

/** Ids of modules that hold a stylesheet as something else. */
export const NOT_STYLESHEET: RegExp = /[?&](?:raw|url|worker|sharedworker|commonjs-proxy)\b/

/** Ids of stylesheets and of those in components and pages, as Vite tells them. */
export const STYLESHEET: RegExp = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/

/**
 * Has the project's rules on `picture` leave those alone that pages get around images: in what compilers have made of
 * each stylesheet, before Vite minifies it and names it by its content.
 */
export function pictureSelectors(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:picture-selectors',
    apply: 'build',
    transform: {
      filter: { id: { include: STYLESHEET, exclude: NOT_STYLESHEET }, code: /picture/i },
      handler(code, id) {
        const project = holder.current
        // Before 6.3 Vite knows no filters.
        if (!STYLESHEET.test(id) || NOT_STYLESHEET.test(id) || !offersOthers(project)) return null
        const changed = sparePictures(code, project.session.options.knowsWhere)
        // Builds make no source maps of stylesheets.
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/**
 * Pages and stylesheets that offer images in several types: what Vite has written is changed, so that no minifier sees
 * both.
 */
export function fallbacks(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:fallbacks',
    enforce: 'post',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config }) => config.consumer === 'client' && offersOthers(holder.current),
    generateBundle: {
      // Vite emits pages in a hook of this name.
      order: 'post',
      async handler({ dir }, bundle) {
        const project = holder.current
        const { session, config } = project
        // Vite 5 has the hook called in any case.
        const own = buildConfig(project, this)
        if (!offersOthers(project) || own.build.ssr !== false) return
        const copies = await copiesOf(holder, own, dir)
        const { base } = config
        const warn: Warn = (message) => this.warn(message)
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !/\.(?:css|html?)$/i.test(name)) continue
          const text = Buffer.from(file.source).toString('utf8')
          const plain = unmarked(text)
          if (plain !== text) file.source = plain
        }
        const output: Output = {
          base: base === './' ? '' : base,
          names: [...Object.keys(bundle).filter((name) => bundle[name]!.type === 'asset'), ...copies.keys()],
          read(name) {
            const file = bundle[name]
            if (file === undefined) return copies.get(name)?.()
            return file?.type === 'asset' ? Buffer.from(file.source) : undefined
          },
          write(name, text) {
            const file = bundle[name]
            if (file?.type === 'asset') file.source = text
          },
          emit: async (image, beside) => {
            if (bundle[beside] === undefined) {
              const fileName = nameBesideCopy(image, beside, (name) => copies.has(name))
              if (project.besideCopies.has(fileName)) return fileName
              project.besideCopies.add(fileName)
              return this.getFileName(emitImage(project, this, { fileName, source: image.data }))
            }
            const name = await distinctName(session, image)
            return this.getFileName(emitImage(project, this, { name, source: image.data }))
          },
        }
        await offerAlternatives(session, output, warn)
      },
    },
  }
}

/** Reads a copy as it lies in the output. */
type ReadCopy = () => Uint8Array | undefined

/** The images of the public folder that Vite has copied, by their names in the output. */
async function copiesOf(
  holder: ProjectHolder,
  config: BuildConfig,
  dir: string | undefined,
): Promise<ReadonlyMap<string, ReadCopy>> {
  if (!isCopied(holder, config)) return new Map()
  const { publicDir } = config
  const folder = outputFolder(config, dir)
  const images = await copiedImages(holder.current.session, publicDir)
  return new Map(
    images.map((file) => {
      const name = path.relative(publicDir, file).split(path.sep).join('/')
      const copy = path.join(folder, name)
      return [name, () => (existsSync(copy) ? readFileSync(copy) : undefined)] as const
    }),
  )
}

/** Digits of the hash in the name of an image beside a copy. */
const HASH_LENGTH = 8

/** Names an alternative after the copy beside it, and by its content, so that it takes the name of no file. */
export function nameBesideCopy(image: FinishedImage, beside: string, isTaken: (name: string) => boolean): string {
  const { dir, name: stem } = path.posix.parse(beside)
  const hash = createHash('sha256').update(image.data).digest('hex')
  const named = (length: number): string =>
    path.posix.join(dir, `${stem}-${hash.slice(0, length)}${path.extname(image.name)}`)
  return isTaken(named(HASH_LENGTH)) ? named(hash.length) : named(HASH_LENGTH)
}
