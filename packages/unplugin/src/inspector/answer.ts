import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSIONS } from '@pixpress/core'
import type { ResolvedOperations } from '@pixpress/core'
import { describeOther } from '@pixpress/core/report'
import { copyTexts } from '../advice/copy.ts'
import type { CopyText } from '../advice/copy.ts'
import { mimeType } from '../session/encode/data-url.ts'
import { relativePath } from '../base/paths.ts'
import type { Session } from '../session/session.ts'
import { knownEndpoints } from './endpoints.ts'
import { inspectorPage, overlayScript } from './page.ts'
import type { SeenImage } from '../session/report/seen-images.ts'

/** Where dev servers show the inspector, below their base. */
export const INSPECTOR_PATH = '/__pixpress/'

/** Where images are referred to: paths by id, absolute or as URLs of pages. */
export type FindReferences = (
  images: readonly Pick<SeenImage, 'id' | 'file'>[],
) => ReadonlyMap<string, readonly string[]>

/** An answer to one request. */
export interface InspectorAnswer {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
}

/**
 * Answers a request for the inspector; `undefined` for any other.
 * @param urlPath path without the server's base, percent escapes resolved
 */
export async function answerInspector(
  session: Session,
  urlPath: string,
  findReferences: FindReferences = () => new Map(),
): Promise<InspectorAnswer | undefined> {
  if (!`${urlPath}/`.startsWith(INSPECTOR_PATH)) return undefined
  const [kind = '', id = ''] = urlPath.slice(INSPECTOR_PATH.length).split('/')
  if (kind === '' || kind === 'index.html')
    return { status: 200, type: 'text/html; charset=utf-8', body: await inspectorPage() }
  if (kind === 'overlay.js') return { status: 200, type: 'text/javascript; charset=utf-8', body: await overlay() }
  if (kind === 'images.json') return json(await describeImages(session, findReferences))
  if (kind === 'image' || kind === 'source') return imageAnswer(session, kind, id)
  return MISSING
}

/** Puts the paths from which frameworks' own components get images of pixpress before the overlay's script. */
const overlay = async (): Promise<string> =>
  `const endpoints = ${JSON.stringify(knownEndpoints())}\n${await overlayScript()}`

const MISSING: InspectorAnswer = { status: 404, type: 'text/plain', body: 'There is nothing here.\n' }

const json = (value: unknown): InspectorAnswer => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

async function imageAnswer(session: Session, kind: 'image' | 'source', id: string): Promise<InspectorAnswer> {
  const planned = await session.planned(id).catch(() => undefined)
  if (planned === undefined) return MISSING
  if (kind === 'source') {
    const { type } = planned.plan ?? {}
    return { status: 200, type: type ?? 'application/octet-stream', body: planned.source }
  }
  const image = await session.serve(planned, (message) => console.warn(`pixpress: ${message}`))
  return { status: 200, type: mimeType(image), body: image.data }
}

/** An image as the page gets it. */
export interface ShownImage {
  readonly id: string
  /** Relative to the project. */
  readonly file: string
  /** Holds what is done to it, in the words of directives. */
  readonly asked: string
  readonly problem: string | undefined
  readonly made: SeenImage['made'] | undefined
  /** Holds what it would be with `convert: 'auto'`, where that is known and smaller: `would be 41.0 kB as AVIF`. */
  readonly wouldBe: string | undefined
  readonly references: readonly string[]
  /** Holds what can be pasted in place of its URL, by the kind of text. */
  readonly copies: readonly CopyText[]
}

async function describeImages(session: Session, findReferences: FindReferences): Promise<ShownImage[]> {
  const { root } = session.options
  const images = session.seen.list()
  const references = findReferences(images)
  const texts = new Map<string, Promise<string>>()
  const others = await session.others()
  const described = images.map(async ({ id, file, operations, problem, made }): Promise<ShownImage> => {
    const own = references.get(id) ?? []
    const places = own.map(async (each) => {
      const place = path.isAbsolute(each) ? each : path.join(root, each)
      const known = texts.get(place) ?? readText(place)
      texts.set(place, known)
      return { shown: path.isAbsolute(each) ? relativePath(root, each) : each, text: await known }
    })
    const shown = { id, file: relativePath(root, file), asked: askedWords(operations), problem, made }
    const subject = { file: shown.file, asked: shown.asked, places: await Promise.all(places) }
    const copies = made === undefined ? [] : copyTexts({ ...subject, type: made.source.type, width: made.source.width })
    const other = others.get(id)
    const wouldBe = other && describeOther(other)
    return { ...shown, wouldBe, references: subject.places.map((each) => each.shown), copies }
  })
  return Promise.all(described)
}

/** The text of what refers to an image; empty where a plugin has made it up. */
const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

function askedWords(operations: ResolvedOperations | undefined): string {
  if (operations === undefined) return ''
  const { resize, types, orInput, lossless } = operations
  const formats = (types ?? []).map((type) => EXTENSIONS[type])
  const words = [
    resize?.width === undefined ? '' : `w=${resize.width}`,
    resize?.height === undefined ? '' : `h=${resize.height}`,
    resize?.method === 'cover' ? 'fit=cover' : '',
    // A list, of which the smallest is taken, is an option of all images and no directive.
    formats.length === 1 && !orInput ? `format=${formats.join('')}` : '',
    lossless === true ? 'lossless' : '',
  ]
  return words.filter((word) => word !== '').join('&')
}
