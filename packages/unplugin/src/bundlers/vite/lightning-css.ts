import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { Plugin, ResolvedConfig } from 'vite'
import { isOfOneImage } from '../../modules/failure.ts'
import { isPictureUrl } from '../../references/data-url.ts'
import { splitUrl } from '../../references/url.ts'
import type { TakesUrl } from '../../references/url.ts'
import type { StylesheetUrl } from '../../references/postcss-urls.ts'
import { createUrlVisitor, filesOfUrl } from './lightning-urls.ts'
import type { ReplaceUrl, SeenUrl, UrlVisitor } from './lightning-urls.ts'
import { IMAGE_PATH } from './project.ts'

/**
 * Holds what a stylesheet's images are before it is known which of them are the project's: Vite leaves other hosts
 * alone.
 */
const NOT_KNOWN_YET = 'https://pixpress.invalid/image'

type Rewrite = (url: StylesheetUrl) => Promise<string | undefined>
type Handler = (this: Context, code: string, id: string, options?: unknown) => unknown
interface Context {
  addWatchFile(file: string): void
}

/**
 * Stylesheets that Lightning CSS compiles, where there is no PostCSS. Its visitors see every URL, of the files that
 * `@import` and `composes` pull in too, and behind preprocessors; but they cannot wait. So a stylesheet with images is
 * compiled twice: to learn which there are, and with the finished ones in their places.
 * @param isRemote which URLs of other servers are rewritten
 */
export function rewriteInLightningCss(config: ResolvedConfig, rewrite: Rewrite, isRemote: TakesUrl): void {
  const { css, plugins } = config
  const compiler = plugins.find(({ name }) => name === 'vite:css') as { transform?: Plugin['transform'] } | undefined
  if (css.transformer !== 'lightningcss' || compiler?.transform === undefined) return
  const { transform } = compiler
  const compile = (typeof transform === 'function' ? transform : transform.handler) as unknown as Handler
  let replace: ReplaceUrl | undefined
  const theirs = (css.lightningcss?.visitor ?? {}) as UrlVisitor
  const visitor = createUrlVisitor(theirs, (url) => replace?.(url))
  css.lightningcss = {
    ...css.lightningcss,
    visitor: visitor as NonNullable<typeof css.lightningcss>['visitor'] & object,
  }

  // One at a time, as visitors are not told which stylesheet they are in.
  let last: Promise<unknown> = Promise.resolve()
  const handler: Handler = function (code, id, options) {
    const result = last.then(() => compileTwice(this, code, id, options))
    last = result.catch(() => undefined)
    return result
  }

  async function compileTwice(context: Context, code: string, id: string, options: unknown): Promise<unknown> {
    const seen = new Map<string, SeenUrl>()
    const read = new Set<string>()
    const watching = withWatcher(context, read)
    try {
      replace = (url) => {
        if (!IMAGE_PATH.test(url.url) && !isPictureUrl(url.url) && !isRemote(url.url)) return undefined
        seen.set(keyOf(url), url)
        return NOT_KNOWN_YET
      }
      const result = await compile.call(watching, code, id, options)
      if (seen.size === 0) return result
      replace = undefined
      const stylesheet = { main: splitUrl(id).path, code, read }
      const urls = await rewriteAll([...seen.values()], stylesheet, context, rewrite)
      replace = (url) => urls.get(keyOf(url))
      return await compile.call(context, code, id, options)
    } finally {
      replace = undefined
    }
  }

  compiler.transform = (typeof transform === 'function'
    ? handler
    : { ...transform, handler }) as unknown as NonNullable<Plugin['transform']>
}

/** A stylesheet that is compiled, and the files that it is made of. */
interface CompiledStylesheet {
  /** Absolute path of the stylesheet itself. */
  readonly main: string
  readonly code: string
  readonly read: ReadonlySet<string>
}

async function rewriteAll(
  found: readonly SeenUrl[],
  { main, code, read }: CompiledStylesheet,
  context: Context,
  rewrite: Rewrite,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map([[main, code]])
  for (const file of read) {
    if (file.endsWith('.css') && path.isAbsolute(file)) texts.set(file, await readFile(file, 'utf8').catch(() => ''))
  }
  const urls = new Map<string, string>()
  const addDependency = (file: string): void => context.addWatchFile(file)
  const places = new Map<string, number>()
  const placeOf = (url: string, importer: string): { place?: number } => {
    if (!isPictureUrl(url)) return {}
    const place = (places.get(importer) ?? 0) + 1
    places.set(importer, place)
    return { place }
  }
  const work = found.map(async (each) => {
    const [importer = main, ...others] = filesOfUrl(each, texts)
    // The same text at the same place of two files may be two images: Vite knows which is which, and delivers both.
    if (others.length > 0) return
    const asked = { url: each.url, importer, use: each.use, addDependency, ...placeOf(each.url, importer) }
    const url = await rewrite(asked).catch((error: unknown) => {
      if (!isOfOneImage(error)) throw error
      throw new PixpressError(error.code, `${importer}: ${each.url}: ${error.message}`, { cause: error })
    })
    if (url !== undefined) urls.set(keyOf(each), url)
  })
  await Promise.all(work)
  return urls
}

const keyOf = ({ url, loc, use }: SeenUrl): string => `${loc.line}:${loc.column} ${use} ${url}`

/** The hook's context, with a note of every file that is watched: those that a stylesheet is made of. */
function withWatcher(context: Context, files: Set<string>): Context {
  return new Proxy(context, {
    get(target, name) {
      if (name === 'addWatchFile') {
        return (file: string): void => {
          files.add(file)
          target.addWatchFile(file)
        }
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
