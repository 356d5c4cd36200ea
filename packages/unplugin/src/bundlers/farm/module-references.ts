import path from 'node:path'
import MagicString from 'magic-string'
import type {
  CompilationContext,
  PluginResolveHookResult,
  PluginTransformHookParam,
  PluginTransformHookResult,
} from '@farmfe/core'
import { readStylesheet } from '../../fallbacks/declarations.ts'
import { markOf } from '../../fallbacks/marks.ts'
import { SPARING, findPictureSelectors } from '../../fallbacks/picture-selectors.ts'
import { deliver } from '../../modules/deliver.ts'
import { finishReference, readQuery } from '../../modules/reference.ts'
import { findInStylesheet } from '../../references/css.ts'
import { findNewUrls } from '../../references/new-url.ts'
import type { NewUrlReference } from '../../references/new-url.ts'
import { useOf } from '../../references/types.ts'
import type { ImageUse, Reference } from '../../references/types.ts'
import { decodePath, isExternal, splitUrl } from '../../references/url.ts'
import { isFile } from '../../base/files.ts'
import type { Files } from '../../base/files.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { FarmHook } from './project.ts'

/** Parameters that no bundler or plugin looks at. */
const TYPED = '__pixpress=typed'
const BESIDE = '__pixpress=beside'
const LOCAL = '__pixpress=local'

/**
 * Farm loads an image without saying what refers to it, so the images of a stylesheet are marked that are bound to
 * their type, or get others beside it. With the option `store`, those of a stylesheet or of `new URL()` are put into
 * the store, and the module refers to their URLs there; those that are not found are marked as well, for Farm looks for
 * them in its output. Rules on `picture` are to leave those alone that pages get around images.
 * @param content the module's text, with its pictures compressed. Default: as it came
 * @returns `null` when nothing changes.
 */
export async function rewriteReferences(
  hook: FarmHook,
  module: PluginTransformHookParam,
  content: string = module.content,
): Promise<PluginTransformHookResult | null> {
  const { project, isServed } = hook
  const uploads = !isServed && project.session.options.store !== undefined
  const { moduleType } = module
  const text = new MagicString(content)
  const references = moduleType === 'css' ? findInStylesheet(content) : findNewUrls(content)
  const { declarations } = moduleType === 'css' ? readStylesheet(content) : { declarations: [] }
  const variables = declarations.filter(({ property }) => property.startsWith('--'))
  for (const reference of references) {
    const { path: pathname, query, hash } = splitUrl(reference.url)
    const uploaded = uploads ? await uploadedUrl(hook, module, reference) : undefined
    // Farm takes no notice of variables, and would leave a mark in them.
    const isSeen = !variables.some(({ start, end }) => start <= reference.start && reference.end <= end)
    const marks = uploaded === undefined && isSeen ? await marksOf(hook, module, reference) : []
    if (uploads && isSeen && IMAGE_FILE.test(pathname) && !isExternal(pathname) && !pathname.startsWith('/'))
      marks.push(LOCAL)
    if (uploaded !== undefined) {
      // Farm takes the URL of a `new URL()` with a base for a file.
      if (isNewUrl(reference)) {
        const { expressionStart, expressionEnd } = reference
        text.update(expressionStart, expressionEnd, `new URL(${JSON.stringify(uploaded + hash)})`)
      } else text.update(reference.start, reference.end, reference.encode(uploaded + hash))
    } else if (marks.length > 0) {
      const marked = `${pathname}${query === '' ? '?' : `${query}&`}${marks.join('&')}${hash}`
      text.update(reference.start, reference.end, reference.encode(marked))
    }
  }
  const { alternatives, options } = project.session
  // Farm names stylesheets by their modules.
  if (moduleType === 'css' && alternatives.isWanted && !isServed)
    for (const offset of findPictureSelectors(content, options.knowsWhere)) text.appendLeft(offset, SPARING)
  if (!text.hasChanged()) return content === module.content ? null : { content }
  return { content: text.toString(), sourceMap: text.generateMap({ hires: 'boundary' }).toString() }
}

async function marksOf(
  { project: { session }, isServed, context }: FarmHook,
  module: PluginTransformHookParam,
  reference: Reference,
): Promise<string[]> {
  const use = useOf(reference, session.alternatives.isWanted)
  if (use === 'typed') return [TYPED]
  if (use !== 'beside') return []
  const { path: encoded, query: text } = splitUrl(reference.url)
  const query = readQuery(text)
  if (!query.isOwn || query.inline === true) return []
  const file = await find(session.files, module, encoded, context)
  if (file === undefined || !session.matches(file)) return []
  if (isServed) return [BESIDE]
  const warn = (message: string): void => context.warn(message)
  const own = await finishReference(session, { file, query }, use, warn)
  // Farm names the image by the whole query, and the stylesheet by the names in it: both change with what is offered.
  const mark = own === undefined ? '' : await markOf(session, own, warn)
  return [BESIDE + mark.replace('#pixpress', '')]
}

const isNewUrl = (reference: Reference): reference is NewUrlReference => reference.kind === 'new-url'

async function uploadedUrl(
  { project: { session, generation }, context }: FarmHook,
  module: PluginTransformHookParam,
  reference: Reference,
): Promise<string | undefined> {
  const { path: encoded, query: text } = splitUrl(reference.url)
  const query = readQuery(text)
  if (!query.isOwn || query.inline === true) return undefined
  const file = await find(session.files, module, encoded, context)
  if (file === undefined || !session.matches(file)) return undefined
  const owner = module.resolvedPath
  // Farm reads watched files as text to put them into its cache, and ends the process when one is none.
  if (generation === undefined) context.addWatchFile(owner, file)
  const use = useOf(reference, session.alternatives.isWanted)
  await generation?.record({ owner, file, query: text, use })
  const image = await finishReference(session, { file, query }, use, (message) => context.warn(message))
  if (image === undefined) return undefined
  // Farm loads an image that is not uploaded as a module.
  const delivered = await deliver(session, image, { emit: () => undefined })
  return delivered.by === 'emit' ? undefined : delivered.url
}

/** The image that the path of a URL leads to: from the module's file, as Farm does, else by an alias. */
async function find(
  files: Files,
  { moduleType, moduleId, resolvedPath }: PluginTransformHookParam,
  encoded: string,
  context: CompilationContext,
): Promise<string | undefined> {
  const source = decodePath(encoded)
  if (isExternal(source) || !IMAGE_FILE.test(source)) return undefined
  const file = path.join(path.dirname(resolvedPath), source)
  if (!source.startsWith('/') && (await isFile(files, file))) return file
  const kind = moduleType === 'css' ? 'cssUrl' : 'import'
  // Farm's types leave out that it gives `null` where nothing is found.
  const found: PluginResolveHookResult | null = await context.resolve(
    { source, importer: moduleId, kind },
    { meta: {}, caller: 'pixpress' },
  )
  return found !== null && found.external !== true && (await isFile(files, found.resolvedPath))
    ? found.resolvedPath
    : undefined
}

/** Gives what a query says of the place of its image. */
export function markedUse(query: string): ImageUse {
  const marks = query.slice(1).split('&')
  if (marks.includes(TYPED)) return 'typed'
  return marks.some((mark) => mark.startsWith(BESIDE)) ? 'beside' : 'content'
}

/** Tells whether a query says that the image has to be in the output. */
export function isMarkedLocal(query: string): boolean {
  return query.slice(1).split('&').includes(LOCAL)
}
