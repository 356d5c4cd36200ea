import { offerAlternatives, outputName, urlBeside } from '../../fallbacks/offer-alternatives.ts'
import { digest, findSources } from '../../copies/sources.ts'
import type { Sources } from '../../copies/sources.ts'
import { findInPage } from '../../references/find-in-page.ts'
import { replaceReferences } from '../../references/replace.ts'
import { useOf } from '../../references/types.ts'
import type { Reference } from '../../references/types.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import type { OutputFile } from './hooks.ts'

/** A build's output while its files can still be changed. */
export interface RollupOutput {
  readonly bundle: Record<string, OutputFile>
  /** Holds what has been put into the output since, by name. */
  readonly added: ReadonlyMap<string, Uint8Array>
  /** Absolute path of the output folder. */
  readonly folder: string
  /** Holds what stands before names in URLs, or empty where they are relative. */
  readonly base: string
  /** Puts an image into the output, and gives its name. */
  emit(image: FinishedImage): Promise<string>
}

const PAGE = /\.html?$/i

/**
 * Pages and stylesheets that other plugins have written, offering images in several types. Plugins for HTML put a
 * page's images into the output as they are; those of the project's sources are compressed first.
 */
export async function offerInRollup(session: Session, output: RollupOutput, warn: Warn): Promise<void> {
  const { bundle, added, base, emit } = output
  const textOf = (name: string): string => Buffer.from(bytesOf(bundle[name]) ?? []).toString('utf8')
  const write = (name: string, text: string): void => {
    const file = bundle[name]
    if (file?.type === 'asset') file.source = text
  }
  await takeUpImages(session, output, { textOf, write }, warn)
  await offerAlternatives(
    session,
    {
      base,
      names: [...new Set([...Object.keys(bundle), ...added.keys()])],
      read: (name) => added.get(name) ?? bytesOf(bundle[name]),
      write,
      emit,
    },
    warn,
  )
}

interface Texts {
  textOf(name: string): string
  write(name: string, text: string): void
}

/**
 * Has pages show the compressed image in place of each copy of a source, which leaves the output unless something else
 * needs it.
 */
async function takeUpImages(
  session: Session,
  { bundle, base, folder, emit }: RollupOutput,
  { textOf, write }: Texts,
  warn: Warn,
): Promise<void> {
  const copies = new Set(Object.keys(bundle).filter((name) => IMAGE_FILE.test(name)))
  const pages = Object.keys(bundle).filter((name) => PAGE.test(name))
  let sources: Sources | undefined
  const taken = new Set<string>()
  // One after the other, so that names are the same in every build.
  for (const page of pages.sort()) {
    const html = textOf(page)
    const references = (await findInPage(html)).filter(({ kind }) => kind !== 'html-style')
    const urls = new Map<Reference, string>()
    for (const reference of references) {
      const name = outputName(reference.url, page, copies, base)
      const bytes = name === undefined ? undefined : bytesOf(bundle[name])
      if (name === undefined || bytes === undefined) continue
      sources ??= await findSources(session, folder)
      const file = sources.get(digest(bytes))
      if (file === undefined) continue
      const image = await session.finish(session.planBytes(file, bytes, useOf(reference, true)), warn)
      urls.set(reference, urlBeside(reference.url, await emit(image), page, base))
      taken.add(name)
    }
    const changed = replaceReferences(html, references, (reference) => urls.get(reference))
    if (changed !== html) write(page, changed)
  }
  for (const name of taken) if (!isMentioned(bundle, name)) delete bundle[name]
}

function bytesOf(file: OutputFile | undefined): Uint8Array | undefined {
  return file?.type === 'asset' ? Buffer.from(file.source) : undefined
}

/** Tells whether a script or another text of the output has the name of a file in it. */
function isMentioned(bundle: RollupOutput['bundle'], name: string): boolean {
  const mention = encodeURI(name.slice(name.lastIndexOf('/') + 1))
  return Object.entries(bundle).some(([other, file]) => {
    if (IMAGE_FILE.test(other) && !other.endsWith('.svg')) return false
    const text = file.type === 'chunk' ? file.code : Buffer.from(file.source).toString('utf8')
    return text.includes(mention)
  })
}
