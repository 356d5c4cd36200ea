import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { LOCK_NAME, sha256 } from '@pixpress/core/internal'
import { plainPath } from '../site/plain-path.ts'
import { sourceOf } from './sources.ts'
import type { Visit } from '../visit/facts.ts'

/** Where bundlers write which source became which file. */
const MANIFESTS = ['.vite/manifest.json', 'manifest.json']

/**
 * Finds the project's image behind each image of a site: by the bundler's manifest, by the digests of the project's
 * lock, by equal bytes, and by the name, in this order. The function returns `undefined` if none of them is certain.
 * @param images of the project, relative to it, with forward slashes
 * @param output the folder of the site; absent where it was a server
 */
export async function findOrigins(
  project: string,
  images: readonly string[],
  visits: readonly Visit[],
  output: string | undefined,
): Promise<(url: string) => string | undefined> {
  const known = new Set(images)
  const digests = new Map(visits.flatMap(({ loaded }) => [...loaded.values()].map((each) => [each.url, each] as const)))
  const manifest = await manifestOf(output)
  const locked = await lockedSources(project)
  const equal = await equalFiles(project, images, [...digests.values()])
  const found = new Map<string, string | undefined>()
  return (url) => {
    if (!found.has(url)) {
      const { digest = '' } = digests.get(url.replace(/#.*$/, '')) ?? {}
      const certain = [manifest(url), locked.get(digest), equal.get(digest)]
      found.set(url, certain.find((each) => each !== undefined && known.has(each)) ?? sourceOf(url, images))
    }
    return found.get(url)
  }
}

async function manifestOf(output: string | undefined): Promise<(url: string) => string | undefined> {
  const entries = new Map<string, string>()
  for (const name of output === undefined ? [] : MANIFESTS) {
    const text = await readFile(path.join(output!, name), 'utf8').catch(() => '{}')
    for (const { file, src } of Object.values(entriesOf(text))) {
      if (typeof file === 'string' && typeof src === 'string') entries.set(file, src)
    }
  }
  return (url) => {
    const pathname = plainPath(new URL(url, 'http://localhost').pathname)
    return [...entries].find(([file]) => pathname.endsWith(`/${file}`))?.[1].replace(/\?.*$/, '')
  }
}

function entriesOf(text: string): Readonly<Record<string, { file?: unknown; src?: unknown }>> {
  try {
    const value: unknown = JSON.parse(text)
    return Object.fromEntries(
      Object.entries(value ?? {}).filter(([, each]) => typeof each === 'object' && each !== null),
    ) as Record<string, object>
  } catch {
    return {}
  }
}

/** Sources by the digests of their results; those that several sources have are nobody's. */
async function lockedSources(project: string): Promise<ReadonlyMap<string, string | undefined>> {
  const text = await readFile(path.join(project, LOCK_NAME), 'utf8').catch(() => '')
  const sources = new Map<string, string | undefined>()
  for (const line of text.split('\n')) {
    const [, source] = /"source":"((?:[^"\\]|\\.)*)"/.exec(line) ?? []
    const [, result] = /"result":"([\da-f]{64})"/.exec(line) ?? []
    if (source === undefined || result === undefined) continue
    sources.set(result, sources.has(result) && sources.get(result) !== source ? undefined : source)
  }
  return sources
}

/**
 * Images of the project that were delivered as they are, by their digests; those that stand there twice are nobody's.
 */
async function equalFiles(
  project: string,
  images: readonly string[],
  loaded: readonly { readonly bytes: number; readonly digest: string }[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const sizes = new Set(loaded.map(({ bytes }) => bytes))
  const found = new Map<string, string | undefined>()
  for (const image of images) {
    const file = path.join(project, image)
    const { size = -1 } = (await stat(file).catch(() => undefined)) ?? {}
    if (!sizes.has(size)) continue
    const digest = sha256(await readFile(file))
    found.set(digest, found.has(digest) ? undefined : image)
  }
  return found
}

/** Images of the project that hold the same bytes as some, by those: a build delivers them as one file. */
export async function twinsOf(
  project: string,
  images: readonly string[],
  some: Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sizeOf = async (image: string): Promise<number> =>
    (await stat(path.join(project, image)).catch(() => undefined))?.size ?? -1
  const sizes = new Map<number, string[]>()
  for (const image of images) {
    const size = await sizeOf(image)
    if (size > 0) sizes.set(size, [...(sizes.get(size) ?? []), image])
  }
  const twins = new Map<string, readonly string[]>()
  for (const image of some) {
    const others = (sizes.get(await sizeOf(image)) ?? []).filter((each) => each !== image)
    if (others.length === 0) continue
    const bytes = await readFile(path.join(project, image))
    const equal: string[] = []
    for (const other of others) if (bytes.equals(await readFile(path.join(project, other)))) equal.push(other)
    for (const each of equal) twins.set(each, [image, ...equal.filter((one) => one !== each)])
    if (equal.length > 0) twins.set(image, equal)
  }
  return twins
}
