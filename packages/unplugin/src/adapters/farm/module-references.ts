import path from 'node:path'
import MagicString from 'magic-string'
import type {
  CompilationContext,
  PluginResolveHookResult,
  PluginTransformHookParam,
  PluginTransformHookResult,
} from '@farmfe/core'
import { finishReference, isOwnQuery } from '../../core/image-module.ts'
import { IMAGE_FILE } from '../../core/image-path.ts'
import { isFile } from '../../core/is-file.ts'
import { findInStylesheet } from '../../core/reference/css.ts'
import { findNewUrls } from '../../core/reference/new-url.ts'
import type { NewUrlReference } from '../../core/reference/new-url.ts'
import type { Reference } from '../../core/reference/types.ts'
import { decodePath, isExternal, splitUrl } from '../../core/reference/url.ts'
import { useOf } from '../../core/reference/use.ts'
import type { FarmProject } from './project.ts'

/** Parameters that no bundler or plugin looks at. */
const TYPED = '__pixpress=typed'
const LOCAL = '__pixpress=local'

/**
 * Farm loads an image without saying what refers to it, so the images of a stylesheet are marked that are bound to their
 * type. With `storing`, those of a stylesheet or of `new URL()` are put into the store, and the module refers to their
 * addresses; those that are not found are marked as well, for Farm looks for them in its output.
 * @returns `null` when nothing changes.
 */
export async function rewriteReferences(
  project: FarmProject,
  storing: boolean,
  module: PluginTransformHookParam,
  context: CompilationContext,
): Promise<PluginTransformHookResult | null> {
  const { moduleType, content } = module
  const text = new MagicString(content)
  const references = moduleType === 'css' ? findInStylesheet(content) : findNewUrls(content)
  for (const reference of references) {
    const { path: pathname, query, hash } = splitUrl(reference.url)
    const address = storing ? await storedAddress(project, module, reference, context) : undefined
    const marks = useOf(reference) === 'typed' ? [TYPED] : []
    if (storing && IMAGE_FILE.test(pathname) && !isExternal(pathname) && !pathname.startsWith('/')) marks.push(LOCAL)
    if (address !== undefined) {
      // Farm takes the URL of a `new URL()` with a base for a file.
      if (isNewUrl(reference)) {
        const { expressionStart, expressionEnd } = reference
        text.update(expressionStart, expressionEnd, `new URL(${JSON.stringify(address + hash)})`)
      } else text.update(reference.start, reference.end, reference.encode(address + hash))
    } else if (marks.length > 0) {
      const marked = `${pathname}${query === '' ? '?' : `${query}&`}${marks.join('&')}${hash}`
      text.update(reference.start, reference.end, reference.encode(marked))
    }
  }
  if (!text.hasChanged()) return null
  return { content: text.toString(), sourceMap: text.generateMap({ hires: 'boundary' }).toString() }
}

const isNewUrl = (reference: Reference): reference is NewUrlReference => reference.kind === 'new-url'

async function storedAddress(
  { session, generation }: FarmProject,
  module: PluginTransformHookParam,
  reference: Reference,
  context: CompilationContext,
): Promise<string | undefined> {
  const { path: encoded, query } = splitUrl(reference.url)
  if (!isOwnQuery(query) || session.parseQuery(query).inline === true) return undefined
  const file = await find(module, encoded, context)
  if (file === undefined || !session.matches(file)) return undefined
  const owner = module.resolvedPath
  // Farm reads watched files as text to put them into its cache, and ends the process when one is none.
  if (generation === undefined) context.addWatchFile(owner, file)
  const use = useOf(reference)
  await generation?.record({ owner, file, query, use })
  const image = await finishReference(session, { file, query }, use, (message) => context.warn(message))
  return image && session.stored(image)
}

/** The image that the path of a URL leads to: from the module's file, as Farm does, else by an alias. */
async function find(
  { moduleType, moduleId, resolvedPath }: PluginTransformHookParam,
  encoded: string,
  context: CompilationContext,
): Promise<string | undefined> {
  const source = decodePath(encoded)
  if (isExternal(source) || !IMAGE_FILE.test(source)) return undefined
  const file = path.join(path.dirname(resolvedPath), source)
  if (!source.startsWith('/') && (await isFile(file))) return file
  const kind = moduleType === 'css' ? 'cssUrl' : 'import'
  // Farm's types leave out that it gives `null` where nothing is found.
  const found: PluginResolveHookResult | null = await context.resolve(
    { source, importer: moduleId, kind },
    { meta: {}, caller: 'pixpress' },
  )
  return found !== null && found.external !== true && (await isFile(found.resolvedPath))
    ? found.resolvedPath
    : undefined
}

/** Whether a query says that the image is bound to its type. */
export function isMarkedTyped(query: string): boolean {
  return query.slice(1).split('&').includes(TYPED)
}

/** Whether a query says that the image has to be in the output. */
export function isMarkedLocal(query: string): boolean {
  return query.slice(1).split('&').includes(LOCAL)
}
