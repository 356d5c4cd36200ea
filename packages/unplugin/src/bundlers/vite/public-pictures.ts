import { existsSync } from 'node:fs'
import path from 'node:path'
import { toLiteral } from '../../modules/asset-module.ts'
import { decodePath } from '../../references/url.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import type { Side } from '../../templates/decisions.ts'
import { nameBesideCopy } from './alternatives.ts'
import type { EmitContext } from './build-asset.ts'
import { emitImage } from './emit-image.ts'
import type { ViteProject } from './project.ts'

/**
 * Tells whether a text of a script or template is the URL of an image of the public folder, as it stands there: with a
 * path for its `base`, below that path. Where `base` is relative, a URL from the root is its author's word that the
 * site is there. Where it is of another host, nobody knows.
 */
export function isPublicImage({ config, session }: ViteProject, text: string): boolean {
  const root = rootOf({ config, session })
  if (root === undefined || !text.startsWith(root) || /[?#]|^\/\//.test(text)) return false
  const file = path.join(config.publicDir, decodePath(text.slice(root.length)))
  return session.matches(file) && existsSync(file)
}

/** The URL of an image of the public folder, not encoded; `undefined` where nobody knows it. */
export function publicUrlOf(project: ViteProject, file: string): string | undefined {
  const root = rootOf(project)
  return root && root + path.relative(project.config.publicDir, file).split(path.sep).join('/')
}

/** Where URLs of the public folder begin; `undefined` where it is on another host, or none of the build's. */
function rootOf({ config, session }: Pick<ViteProject, 'config' | 'session'>): string | undefined {
  const { base, build, publicDir } = config
  // A build for a server copies nothing, and names what the client's build copies.
  if (publicDir === '' || !(build.copyPublicDir || build.ssr) || !session.options.publicDir) return undefined
  if (base === '' || base === './') return '/'
  return base.startsWith('/') && !base.startsWith('//') ? base : undefined
}

/** The reason why an image is in its own type whose `<img>` in a component is left as it is. */
export const DECIDED = 'It stands in an <img> with `srcset` or `data-pixpress`, which stays as it is in a component.'

/**
 * Tells the report why a component shows an image of the public folder in its own type.
 * @param url as the component has it; nothing is told of one that is no such image
 */
export async function noteKept(project: ViteProject, url: string, reason: string): Promise<void> {
  if (!isPublicImage(project, url)) return
  const { config, session } = project
  const file = path.join(config.publicDir, decodePath(url.slice(rootOf(project)!.length)))
  const { id, plan } = session.planBytes(file, await session.files.readFile(file), 'public')
  if (plan !== undefined && plan.type !== 'image/svg+xml') session.log.alternatives(id, 'kept', reason)
}

/**
 * Makes the types that a component offers beside an image of the public folder, whose copy keeps its name.
 * @param url as the template has it
 * @returns gives the code of what is shown, and emits its images; `undefined` where it stands alone
 */
export async function publicPicture(
  project: ViteProject,
  context: EmitContext,
  side: Side,
  { url, warn }: { readonly url: string; readonly warn: Warn },
): Promise<(() => string) | undefined> {
  const { config, session } = project
  const root = rootOf(project)!
  const copy = decodePath(url.slice(root.length))
  const file = path.join(config.publicDir, copy)
  session.expectCopies(config.publicDir, path.resolve(config.root, config.build.outDir))
  const own = await session.finish(session.planBytes(file, await session.files.readFile(file), 'public'), warn)
  const found = await session.alternatives.of(own.data, warn)
  if (found === undefined) return undefined
  if (found.others.length === 0) {
    session.log.alternatives(own.planned.id, 'kept', found.reason)
    return undefined
  }
  session.log.alternatives(own.planned.id, 'fallback')
  const isTaken = (name: string): boolean => existsSync(path.join(config.publicDir, name))
  const urlOf = (image: FinishedImage): string => {
    const fileName = nameBesideCopy(image, copy, isTaken)
    // A server only names what the client's build writes. A page of the build may offer the same image.
    if (side === 'client' && !project.besideCopies.has(fileName)) {
      project.besideCopies.add(fileName)
      emitImage(project, context, { fileName, source: image.data })
    }
    return encodeURI(root + fileName)
  }
  return () => {
    const sources = found.others.map((image) => `{type:${toLiteral(image.type)},srcset:${toLiteral(urlOf(image))}}`)
    return `{src:${toLiteral(url)},sources:[${sources.join(',')}]}`
  }
}
