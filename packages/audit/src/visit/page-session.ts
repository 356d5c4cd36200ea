import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { PixpressError } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import type { Connection, EventParams } from '../browser/connection.ts'
import type { Page } from '../site/pages.ts'
import type { LoadedImage, Visit } from './facts.ts'
import type { PageFacts, PageScript } from './page-facts.ts'
import { watchNetwork } from './network.ts'
import type { NetworkRequest, Send } from './network.ts'
import { watchScriptErrors } from './script-errors.ts'
import { rastersIn } from './svg-rasters.ts'
import type { Viewport } from './viewports.ts'

/** Milliseconds that a page has to load. */
const LOAD = 30_000

/**
 * Width in pixels of CSS below which a window behaves like a phone's, which lays a page without a `viewport` out wide
 * and shrinks it.
 */
const WIDEST_PHONE = 600

/** Bytes of answers that the browser keeps for us. */
const KEPT = 256 * 1024 * 1024

/**
 * The script of `page/`, as scripts/bundle.mjs makes it. The path holds in the sources, in `dist` and in the command.
 */
const PAGE_SCRIPT = new URL('../../dist/page/page.js', import.meta.url)

/** Reads the script that runs inside of pages. */
export const readPageScript = (): Promise<string> => readFile(PAGE_SCRIPT, 'utf8')

/** The parts that all visits share. */
export interface VisitOptions {
  readonly connection: Connection
  /** The script that runs inside of pages. */
  readonly script: string
  readonly optimizer: Pick<Optimizer, 'probe'>
  /** Images by their URLs, of all visits so far. */
  readonly known: Map<string, LoadedImage>
}

/**
 * Opens a page in a viewport, in a profile of its own, and looks at its images.
 * @param page of this machine
 * @throws PixpressError `IO_FAILED` when it cannot be loaded
 */
export async function visitPage(page: Page, viewport: Viewport, options: VisitOptions): Promise<Visit> {
  const { connection } = options
  const { browserContextId } = await connection.send('Target.createBrowserContext')
  try {
    const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
    return await lookAt(page, viewport, String(sessionId), options)
  } catch (error) {
    if (error instanceof PixpressError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('IO_FAILED', `The page cannot be looked at: ${reason}`, { file: page.name, cause: error })
  } finally {
    await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
  }
}

async function lookAt(
  { url, name: page }: Page,
  viewport: Viewport,
  session: string,
  { connection, script, optimizer, known }: VisitOptions,
): Promise<Visit> {
  const send = (method: string, params?: object): Promise<EventParams> => connection.send(method, params, session)
  const network = watchNetwork(connection, session, send)
  const errors = watchScriptErrors(connection, session, new URL(url).origin)
  try {
    await prepare(send, viewport, script)
    const { errorText } = await send('Page.navigate', { url })
    if (errorText !== undefined) throw failed(page, String(errorText))
    await Promise.race([network.loaded, delay(LOAD, undefined, { ref: false })])
    await network.quiet()
    const document = network.document()
    if (document !== undefined && document.status >= 400) throw failed(page, `the server answers ${document.status}`)
    const html = document === undefined ? '' : await bodyOf(send, document.id).then(String, () => '')
    const early = new Set(network.images().map((image) => image.url))
    await inPage(send, 'untilPainted')
    const before = await inPage(send, 'facts')
    await inPage(send, 'scrollThrough')
    await network.quiet()
    const after = await inPage(send, 'facts')
    const [error] = errors.all()
    if (error !== undefined && !(await hasDrawn(send))) {
      const message = `A script of the page failed before it drew anything: ${error}.`
      throw new PixpressError('IO_FAILED', message, { file: page })
    }
    const loaded = new Map<string, LoadedImage>()
    for (const image of network.images()) {
      const { status, mimeType } = image
      const seen = known.get(image.url) ?? (await loadedImage(image, send, optimizer))
      if (seen !== undefined) known.set(image.url, seen)
      loaded.set(image.url, seen ?? { url: image.url, status, mimeType, bytes: 0, digest: '', header: undefined })
    }
    // Scrolling ends the reports of paints, so the largest one is that of before.
    const { paint: _, ...others } = after
    const facts: PageFacts = { ...others, ...(before.paint !== undefined && { paint: before.paint }) }
    return { page, viewport, facts, loaded, early, html, refused: network.refused(), errors: errors.all() }
  } finally {
    errors.stop()
    network.stop()
  }
}

/** Makes a page ready to be looked at, before it is loaded. */
async function prepare(send: Send, { width, height, ratio }: Viewport, script: string): Promise<void> {
  await Promise.all([
    send('Page.enable'),
    send('Runtime.enable'),
    send('Network.enable', { maxTotalBufferSize: KEPT, maxResourceBufferSize: KEPT / 4 }),
    send('Network.setCacheDisabled', { cacheDisabled: true }),
    send('Network.setBypassServiceWorker', { bypass: true }),
    send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    send('Page.addScriptToEvaluateOnNewDocument', { source: script }),
    send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: ratio,
      mobile: width < WIDEST_PHONE,
    }),
  ])
}

const failed = (page: string, reason: string): PixpressError =>
  new PixpressError('IO_FAILED', `The page cannot be loaded: ${reason}.`, { file: page })

/** Returns whether a page has drawn any text or image, as the browser sees it. */
async function hasDrawn(send: Send): Promise<boolean> {
  const expression = "performance.getEntriesByName('first-contentful-paint').length > 0"
  const { result } = (await send('Runtime.evaluate', { expression })) as { result: { value?: boolean } }
  return result.value === true
}

/** Calls a function of the page's script, and returns its result as data. */
async function inPage<Name extends keyof PageScript>(
  send: Send,
  name: Name,
): Promise<Awaited<ReturnType<PageScript[Name]>>> {
  const expression = `pixpressAudit.${name}()`
  const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  const { result, exceptionDetails } = answer as {
    result: { value: Awaited<ReturnType<PageScript[Name]>> }
    exceptionDetails?: { exception?: { description?: string } }
  }
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'a script failed')
  return result.value
}

async function bodyOf(send: Send, requestId: string): Promise<Buffer> {
  const { body, base64Encoded } = await send('Network.getResponseBody', { requestId })
  return Buffer.from(String(body), base64Encoded === true ? 'base64' : 'utf8')
}

/** `undefined` where the browser has no body to show. */
async function loadedImage(
  { url, id, status, mimeType }: NetworkRequest,
  send: Send,
  optimizer: Pick<Optimizer, 'probe'>,
): Promise<LoadedImage | undefined> {
  const body = await bodyOf(send, id).catch(() => undefined)
  if (body === undefined) return undefined
  const header = status >= 400 ? undefined : await optimizer.probe(body).catch(() => undefined)
  const digest = createHash('sha256').update(body).digest('hex')
  const rasters = header?.type === 'image/svg+xml' ? rastersIn(body) : undefined
  return { url, status, mimeType, bytes: body.length, digest, header, ...(rasters !== undefined && { rasters }) }
}
