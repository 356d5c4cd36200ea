import type { Plugin, Rolldown } from 'vite'
import { toLiteral } from '../../modules/asset-module.ts'
import { finishReference, planReference } from '../../modules/reference.ts'
import type { Side } from '../../templates/decisions.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import { isInlined, renderedAssetExpression } from './build-asset.ts'
import { sourceName } from './emitted-sources.ts'
import { buildConfig } from './project.ts'
import type { LocatedImage, ProjectHolder, ViteProject } from './project.ts'
import type { ImageAlternatives } from '../../session/offer/alternatives.ts'
import type { Session } from '../../session/session.ts'
import { decisionsOf, noteKeyOf, showsPictures, sideOf } from './picture-notes.ts'
import { PUBLIC, keyIn } from './picture-modules.ts'
import { DECIDED, noteKept, publicPicture } from './public-pictures.ts'
import { isDecidedImport, publicUrlsOf } from './public-urls.ts'
import type { KeyedImage } from './picture-modules.ts'

const STAND_IN = /__PIXPRESS_(PICTURE|PLACE|NOTE|TABLE)_([\da-f]{12})__/g

/**
 * Decides on the images of templates once every module is compiled: only then all rules are known that could tell a
 * picture apart. The images are made and emitted here, so that what is not shown is no part of the output.
 */
export function pictureDecisions(holder: ProjectHolder): Plugin {
  /** The code that takes the place of a stand-in, by side and key. */
  const codes = new Map<string, string>()
  return {
    name: 'pixpress:picture-decisions',
    // The URLs that are put in are resolved by Vite in the same hook.
    enforce: 'pre',
    apply: 'build',
    renderStart: {
      async handler() {
        if (!showsPictures(holder)) return
        const project = holder.current
        const side = sideOf(project, this)
        for (const { file } of await decisionsOf(project).settle(side)) {
          const shown = relativePath(project.config.root, file)
          this.warn(`${shown}: an image is shown otherwise by the client and the server. Build both once more.`)
        }
        const ids = [...this.getModuleIds()].sort()
        const pictures = ids.flatMap((id) => {
          const found = keyIn(id)
          return found === undefined ? [] : [{ name: `PICTURE_${found.key}`, ...found }]
        })
        const decided = new Set(ids.flatMap((id) => project.decided.get(id)?.urls ?? []))
        for (const url of decided) await noteKept(project, url, DECIDED)
        const looksUp = decisionsOf(project).looksUp(side)
        const shown = looksUp ? ids.filter((id) => !isDecidedImport(project, this, id)) : []
        const noted = shown.filter((id) => project.noted.has(id))
        const copies = looksUp ? await publicUrlsOf(project, shown) : []
        const made = await Promise.all([
          ...pictures.map(
            async ({ name, key, plain }) => [name, await shownBy(project, this, side, { key, plain })] as const,
          ),
          ['TABLE_000000000000', await tableOf(project, this, side, copies)] as const,
          ...noted.map(async (id) => [`NOTE_${noteKeyOf(project, id)}`, await notedBy(project, this, id)] as const),
        ])
        // One after the other, so that equal names are told apart in the same order in every build.
        for (const [name, code] of made) codes.set(`${side} ${name}`, await code())
      },
    },
    renderChunk: {
      filter: { code: STAND_IN },
      async handler(code) {
        const project = holder.current
        const side = sideOf(project, this)
        const { MagicString } = await import('magic-string')
        const text = new MagicString(code)
        for (const { 0: found, 1: kind, 2: key, index } of code.matchAll(STAND_IN)) {
          const refusal = decisionsOf(project).refusal(side, key!)
          const place = String(refusal === undefined)
          const known = kind === 'PLACE' ? place : (codes.get(`${side} ${kind!}_${key!}`) ?? '')
          text.update(index, index + found.length, known)
        }
        if (!text.hasChanged()) return null
        const isMapped = buildConfig(project, this).build.sourcemap !== false
        return { code: text.toString(), map: isMapped ? text.generateMap({ hires: 'boundary' }) : null }
      },
    },
  }
}

type RenderContext = Rolldown.PluginContext

/** Makes the images of one place in a template; gives the code of what is shown, which emits them. */
async function shownBy(
  project: ViteProject,
  context: RenderContext,
  side: Side,
  { key, plain }: KeyedImage,
): Promise<() => Promise<string>> {
  const { session } = project
  const warn: Warn = (message) => context.warn(message)
  const refusal = decisionsOf(project).refusal(side, key)
  if (plain.startsWith(PUBLIC)) {
    const url = plain.slice(PUBLIC.length)
    const made = refusal === undefined ? await publicPicture(project, context, side, { url, warn }) : undefined
    if (refusal !== undefined) await noteKept(project, url, refusal)
    return () => Promise.resolve(made?.() ?? `{src:${toLiteral(url)}}`)
  }
  const image = (await project.locateId(plain))!
  const urlOf = urlsOf(project, context, image)
  const offered = refusal === undefined ? await offeredBeside(project, context, image) : undefined
  if (offered === undefined) {
    const alone = (await finishReference(session, image, 'content', warn))!
    const isKept = alone.type === alone.planned.plan?.type
    if (refusal !== undefined) session.log.alternatives(alone.planned.id, isKept ? 'kept' : 'alone', refusal)
    return async () => `{src:${await urlOf(alone)}}`
  }
  return () => pictureCode(session, offered, urlOf)
}

/** Notes what is shown for the URL that stands behind it in brackets. Nothing is noted of one that stands alone. */
async function notedBy(project: ViteProject, context: RenderContext, id: string): Promise<() => Promise<string>> {
  const image = (await project.locateId(id))!
  const offered = await offeredBeside(project, context, image)
  if (offered === undefined) return () => Promise.resolve('')
  return async () => {
    const shown = await pictureCode(project.session, offered, urlsOf(project, context, image))
    return `(u=>((globalThis.pixpressShown??=new Map).set(u,${shown}),u))`
  }
}

/** Notes what is shown for URLs of the public folder, where it is more than the copy. */
async function tableOf(
  project: ViteProject,
  context: RenderContext,
  side: Side,
  urls: readonly string[],
): Promise<() => Promise<string>> {
  const warn: Warn = (message) => context.warn(message)
  const made = await Promise.all(
    urls.map(async (url) => [url, await publicPicture(project, context, side, { url, warn })] as const),
  )
  return () => {
    const rows = made.flatMap(([url, code]) => (code === undefined ? [] : [`[${toLiteral(url)},${code()}]`]))
    const note = `for(const[u,s]of[${rows.join(',')}])(globalThis.pixpressShown??=new Map).set(u,s)`
    return Promise.resolve(`(()=>{${rows.length === 0 ? '' : note}})`)
  }
}

type UrlOf = (made: FinishedImage, variant?: string) => Promise<string>

function urlsOf(project: ViteProject, context: RenderContext, image: LocatedImage): UrlOf {
  const rule = { asked: image.query.inline, isEntry: false, hash: image.hash }
  const name = sourceName(project.config.root, image)
  return (made, variant = '') =>
    renderedAssetExpression(project, context, { image: made, rule, sourceName: name + variant })
}

async function pictureCode(session: Session, { own, others }: ImageAlternatives, urlOf: UrlOf): Promise<string> {
  session.log.alternatives(own.planned.id, 'fallback')
  const src = await urlOf(own)
  const sources: string[] = []
  for (const other of others) {
    sources.push(`{type:${toLiteral(other.type)},srcset:${await urlOf(other, `#${other.name}`)}}`)
  }
  return `{src:${src},sources:[${sources.join(',')}]}`
}

/** The image in its own type and those that are offered before it; `undefined` where it has to stand alone. */
async function offeredBeside(
  project: ViteProject,
  context: RenderContext,
  image: LocatedImage,
): Promise<ImageAlternatives | undefined> {
  const { session } = project
  const warn: Warn = (message) => context.warn(message)
  if (image.query.original || image.query.inline === true) return undefined
  const own = await session.trial((await planReference(session, image, 'beside'))!, warn)
  // A picture takes more bytes than what it would save of an image that is part of the script.
  if (isInlined(buildConfig(project, context), own, { asked: image.query.inline, isEntry: false, hash: image.hash })) {
    return undefined
  }
  const finished = await finishReference(session, image, 'beside', warn)
  const found = finished && (await session.alternatives.of(finished.data, warn))
  if (found === undefined || found.others.length > 0) return found
  session.log.alternatives(found.own.planned.id, 'kept', found.reason)
  return undefined
}
