import { createHash } from 'node:crypto'
import path from 'node:path'
import { readReferences } from '@pixpress/testkit'
import type { EmittedReference, Project } from '@pixpress/testkit'
import { sourcesOf } from './install.ts'
import type { Starter } from './starters.ts'

/** A build's images of the starter. */
export interface Output {
  /** Images of the starter in the output by path, and the hash of their bytes. */
  readonly images: Readonly<Record<string, string>>
  /** URLs of them in pages, scripts and stylesheets, sorted; `data:` by the hash of the bytes. */
  readonly urls: readonly string[]
  /** The faults, in sentences. */
  readonly faults: readonly string[]
}

interface Source {
  /** Without extension: what names in the output begin with. */
  readonly stem: string
  readonly file: string
  readonly bytes: Buffer
}

export async function readOutput(project: Project, starter: Starter): Promise<Output> {
  const { output = 'dist' } = starter
  const sources = await Promise.all(
    Object.keys(sourcesOf(starter)).map(async (file): Promise<Source> => {
      return { stem: path.parse(file).name, file, bytes: await project.read(file) }
    }),
  )
  const sourceOf = (name: string): Source | undefined =>
    sources.find(({ stem }) => new RegExp(String.raw`^${stem}\b.*\.(?:png|jpe?g|svg|webp|avif)$`).test(name))

  const references = (await readReferences(project.path(output))).filter(
    ({ url, inlined }) => inlined !== undefined || sourceOf(nameOf(url)) !== undefined,
  )
  const named = new Set(references.map(({ url }) => nameOf(url)))

  const images: Record<string, string> = {}
  const faults: string[] = []
  const seen = new Map<string, string>()
  for (const file of await project.list(output)) {
    const source = sourceOf(path.posix.basename(file))
    if (source === undefined) continue
    const bytes = await project.read(`${output}/${file}`)
    images[file] = hashOf(bytes)
    const isSized = starter.sized?.includes(source.file) === true
    // Astro keeps originals that nothing names: nobody loads those.
    if (!isSized || named.has(path.posix.basename(file))) faults.push(...judge(file, bytes, source, starter))
    const key = source.stem + path.extname(file)
    if (seen.has(key) && !isSized) faults.push(`${source.file} is in the output twice: ${seen.get(key)!} and ${file}`)
    seen.set(key, file)
  }

  for (const { file, url, target, inlined } of references) {
    if (inlined === undefined && target === undefined) faults.push(`${file} refers to ${url}, which is not there`)
    const same = sources.find(({ bytes }) => inlined !== undefined && bytes.equals(inlined.bytes))
    if (same !== undefined) faults.push(`${file} holds ${same.file} as it was, not compressed`)
  }
  // One that is small enough is in a page, script or stylesheet.
  const inlined = new Set(references.flatMap((each) => (each.inlined === undefined ? [] : [urlOf(each)])))
  const missing = sources.filter(({ stem }) => ![...seen.keys()].some((key) => key.startsWith(`${stem}.`)))
  if (missing.length > inlined.size) faults.push(`not in the output: ${missing.map(({ file }) => file).join(', ')}`)
  return { images, urls: [...new Set(references.map(urlOf))].sort(), faults }
}

function judge(file: string, bytes: Buffer, source: Source, starter: Starter): string[] {
  if (bytes.equals(source.bytes)) {
    return starter.stay?.includes(source.file) === true ? [] : [`${file} is ${source.file} as it was, not compressed`]
  }
  return bytes.length < source.bytes.length ? [] : [`${file} is larger than ${source.file}`]
}

const nameOf = (url: string): string => path.posix.basename(url.replace(/[?#].*$/, ''))

const urlOf = ({ url, inlined }: EmittedReference): string =>
  inlined === undefined ? url : `data:${inlined.type}:${hashOf(inlined.bytes)}`

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/**
 * Faults of the list that a service worker keeps: every entry is a file of the output, with one revision, which is its
 * own.
 */
export async function judgePrecache(project: Project, folder: string, worker: string): Promise<string[]> {
  const text = await project.readText(`${folder}/${worker}`)
  const entries = [...text.matchAll(/\{url:"([^"]+)",revision:(?:"([^"]+)"|null)\}/g)]
  const faults = entries.length === 0 ? [`${worker} lists no files`] : []
  const listed = new Map<string, string | undefined>()
  for (const [, url, revision] of entries) {
    if (listed.has(url!) && listed.get(url!) !== revision) faults.push(`${worker} has two revisions of ${url!}`)
    listed.set(url!, revision)
    const bytes = await project.read(`${folder}/${url!}`).catch(() => undefined)
    if (bytes === undefined) faults.push(`${worker} lists ${url!}, which is not there`)
    else if (revision !== undefined && createHash('md5').update(bytes).digest('hex') !== revision)
      faults.push(`${worker} has another revision of ${url!}`)
  }
  return faults
}
