/** Answers the URLs of `<NuxtImg>` and `<NuxtPicture>`. Imported by the handler alone; no public interface. */
import './same-release.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { askedOperations, decodePath, mimeType, openSession, relativePath } from 'unplugin-pixpress/internal'
import type { FinishedImage } from 'unplugin-pixpress/internal'
import type { ImageProject } from './image-project.ts'
import { isHeld, projectOptionsOf } from './image-project.ts'
import { parseIpxPath } from './ipx-url.ts'
import { IPX, ipxItself } from './replaced-ipx.ts'

/**
 * @param url path and query of the request, with the site's base or without
 * @param project its `route` is what the handler's URLs begin with: `/_ipx`
 */
export async function answer(url: string, project: ImageProject & { readonly route: string }): Promise<Response> {
  try {
    const image = await makeImage(below(url, project), project)
    const headers = { 'content-type': mimeType(image), 'cache-control': 'public, max-age=0, must-revalidate' }
    return new Response(image.data as Uint8Array<ArrayBuffer>, { headers })
  } catch (error) {
    if (!(error instanceof PixpressError)) throw error
    console.error(`[pixpress] ${url}: ${error.message}`)
    return new Response(`${error.message}\n`, { status: error.status, headers: { 'content-type': 'text/plain' } })
  }
}

/** Returns the part of a URL behind the handler's route. */
function below(url: string, { route, base }: ImageProject & { readonly route: string }): string {
  const { pathname } = new URL(url.replace(/^\/+/, '/'), 'http://localhost')
  const prefix = [`${base.replace(/\/$/, '')}${route}`, route].find((each) => pathname.startsWith(`${each}/`))
  return prefix === undefined ? pathname : pathname.slice(prefix.length)
}

const warn = (message: string): void => console.warn(`[pixpress] ${message}`)

async function makeImage(text: string, project: ImageProject): Promise<FinishedImage> {
  const session = openSession(projectOptionsOf(project), project.root)
  const { src, asked, modifiers } = parseIpxPath(text)
  const { file, bytes } = await sourceOf(aliased(src, project.alias), project)
  const isVector = /\.svg$/i.test(file)
  const operations = isVector ? undefined : askedOperations(session.options, file, asked)
  const planned = session.planBytes(file, bytes, 'typed', operations)
  // A dev server has no end of a build to name what a frozen cache lacks.
  if (!isHeld(project)) return session.serve(planned, warn)
  const image = await session.finish(planned, warn)
  // A vector is not compared, so that no hint may say that it could be.
  if (isVector) return image
  if (!session.baselines.isWanted) session.baselines.replaces(IPX)
  else await session.baselines.measure(planned, ipxItself(bytes, modifiers, project.root))
  return image
}

function aliased(src: string, alias: ImageProject['alias']): string {
  const rooted = `/${src}`
  for (const [from, to] of Object.entries(alias)) {
    const start = `/${from.replace(/^\/|\/$/g, '')}/`
    if (rooted.startsWith(start)) return `${to.replace(/\/$/, '')}/${rooted.slice(start.length)}`
  }
  return src
}

/** Codes of errors that say that a path names no file; the last is that of a NUL in it. */
const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

async function sourceOf(
  src: string,
  { root, dirs, domains }: ImageProject,
): Promise<{ file: string; bytes: Uint8Array }> {
  // A path of a URL has one slash where an address has two.
  const remote = /^(https?):\/+(.+)$/i.exec(src)
  if (remote !== null) return fetched(new URL(`${remote[1]!}://${remote[2]!}`), root, domains)
  for (const dir of dirs) {
    const file = path.resolve(dir, src.replace(/^\/+/, ''))
    if (path.relative(dir, file).startsWith('..')) continue
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (NO_FILE.has(error.code ?? '')) return undefined
      throw error
    })
    if (bytes !== undefined) return { file, bytes }
  }
  throw new PixpressError(
    'INPUT_MISSING',
    `There is no image '${src}' in ${dirs.map((dir) => relativePath(root, dir)).join(', ')}.`,
    { status: 404 },
  )
}

async function fetched(
  url: URL,
  root: string,
  domains: readonly string[],
): Promise<{ file: string; bytes: Uint8Array }> {
  if (!domains.includes(url.host)) {
    throw new PixpressError('INVALID_OPTION', `The host '${url.host}' is not among image.domains.`, { status: 403 })
  }
  const response = await fetch(url, { redirect: 'error' })
  if (!response.ok) {
    throw new PixpressError('INPUT_MISSING', `${url.href} is answered with ${response.status}.`, { status: 404 })
  }
  return {
    file: path.join(root, url.host, decodePath(url.pathname)),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}
