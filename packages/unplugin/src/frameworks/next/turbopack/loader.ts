/**
 * The loader of Turbopack. It runs in processes and threads of Turbopack's, many at a time, and asks the process of
 * `withPixpress`: there is one session, which encodes each image once, has all options, and makes the report.
 */
import path from 'node:path'
import { encodeJsString } from '../../../references/js-string.ts'
import { askService } from './ask.ts'
import { splitFile, withFile } from './parameters.ts'
import { serviceAddress } from './questions.ts'
import type { LoaderOptions, QueriedImport } from './questions.ts'
import { REQUEST_NAME, standInFolder } from './stand-ins.ts'

/** Describes what is used of Turbopack's loader contexts, which have less than webpack's. */
export interface TurbopackLoaderContext {
  /** Absolute path of the folder of the module. */
  readonly context: string
  /** Absolute. */
  readonly resourcePath: string
  /** With its `?`, or empty. */
  readonly resourceQuery: string
  getOptions(): LoaderOptions
  getResolve(options: object): (folder: string, specifier: string) => Promise<string>
  emitWarning(warning: Error): void
  addDependency(file: string): void
  async(): (error: unknown, content?: string | Uint8Array) => void
}

/** Takes bytes instead of text. */
export const raw = true

/** An image, a request for one, or a script → what takes its place. */
function turbopackLoader(this: TurbopackLoaderContext, content: Uint8Array): void {
  const callback = this.async()
  answer(this, content).then((made) => callback(null, made), callback)
}

export default turbopackLoader

async function answer(context: TurbopackLoaderContext, content: Uint8Array): Promise<string | Uint8Array> {
  const { step, extension, keeps } = context.getOptions()
  const { resourcePath, resourceQuery } = context
  const { root } = serviceAddress()
  const isStandIn = path.dirname(resourcePath) === standInFolder(root)
  // The module of a request is none of the project's scripts.
  if (step === 'script' && isStandIn) return content
  const { file: named, query } = isStandIn ? splitFile(resourceQuery) : { file: undefined, query: resourceQuery }
  const file = named === undefined ? resourcePath : path.resolve(root, named)
  const own = path.extname(resourcePath).slice(1).toLowerCase()
  const { head, content: made } = await askService(
    { step, file, query, extension: extension ?? own, keeps },
    isStandIn ? new Uint8Array() : content,
  )
  if (head.error !== undefined) throw withoutStack(new Error(head.error))
  for (const watched of head.watched) context.addDependency(watched)
  for (const notice of head.notices) context.emitWarning(withoutStack(new Error(notice)))
  return head.imports === undefined ? made : redirected(context, { root, code: String(content), imports: head.imports })
}

/** The script with its imports leading to stand-ins; an import that leads nowhere stays, for Turbopack to tell. */
async function redirected(
  context: TurbopackLoaderContext,
  { root, code, imports }: { root: string; code: string; imports: readonly QueriedImport[] },
): Promise<string> {
  const resolve = context.getResolve({})
  let text = ''
  let end = 0
  for (const found of imports) {
    const file = await resolve(context.context, found.specifier).catch(() => undefined)
    if (file === undefined) continue
    const standIn = path.join(standInFolder(root), REQUEST_NAME)
    const query = withFile(found.query, posix(path.relative(root, file)))
    const specifier = posix(path.relative(context.context, standIn))
    const quote = code[found.start - 1] as '"' | "'" | '`'
    text += code.slice(end, found.start)
    text += encodeJsString((specifier.startsWith('.') ? specifier : `./${specifier}`) + query, quote)
    end = found.end
  }
  return text + code.slice(end)
}

const posix = (file: string): string => file.split(path.sep).join('/')

/** Turbopack prints the stack where there is one, which is of no use to whoever has to repair the image. */
function withoutStack(error: Error): Error {
  error.name = 'pixpress'
  delete error.stack
  return error
}
