import { existsSync } from 'node:fs'
import path from 'node:path'
import { toLiteral } from '../../modules/asset-module.ts'
import { decodePath } from '../../references/url.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import type { Side } from '../../templates/decisions.ts'
import { nameBesideCopy } from './alternatives.ts'
import type { EmitContext } from './build-asset.ts'
import type { ViteProject } from './project.ts'

/**
 * Tells whether a text of a template is the URL of an image of the public folder. With another `base` than `/`, nobody
 * knows what its author means by it.
 */
export function isPublicImage({ config, session }: ViteProject, text: string): boolean {
  const { base, publicDir, build } = config
  if (base !== '/' || publicDir === '' || !build.copyPublicDir || !session.options.publicDir) return false
  if (!/^\/[^/?#]/.test(text) || /[?#]/.test(text)) return false
  const file = path.join(publicDir, decodePath(text))
  return session.matches(file) && existsSync(file)
}

/**
 * Makes the types that a component offers beside an image of the public folder, whose copy keeps its name.
 * @param url as the template has it
 * @returns gives the code of what is shown, and emits its images
 */
export async function publicPicture(
  project: ViteProject,
  context: EmitContext,
  side: Side,
  { url, warn }: { readonly url: string; readonly warn: Warn },
): Promise<() => string> {
  const { config, session } = project
  const alone = `{src:${toLiteral(url)}}`
  const file = path.join(config.publicDir, decodePath(url))
  session.expectCopies(config.publicDir, path.resolve(config.root, config.build.outDir))
  const own = await session.finish(session.planBytes(file, await session.files.readFile(file), 'public'), warn)
  const found = await session.alternatives.of(own.data, warn)
  if (found === undefined || found.others.length === 0) return () => alone
  session.log.alternatives(own.planned.id, 'fallback')
  const copy = decodePath(url).slice(1)
  const isTaken = (name: string): boolean => existsSync(path.join(config.publicDir, name))
  const urlOf = (image: FinishedImage): string => {
    const fileName = nameBesideCopy(image, copy, isTaken)
    // A server only names what the client's build writes. A page of the build may offer the same image.
    if (side === 'client' && !project.besideCopies.has(fileName)) {
      project.besideCopies.add(fileName)
      context.emitFile({ type: 'asset', fileName, source: image.data })
    }
    return encodeURI(`/${fileName}`)
  }
  return () => {
    const sources = found.others.map((image) => `{type:${toLiteral(image.type)},srcset:${toLiteral(urlOf(image))}}`)
    return `{src:${toLiteral(url)},sources:[${sources.join(',')}]}`
  }
}
