import { detectType } from '@pixpress/core'
import { extensionFor } from '@pixpress/core/internal'
import { findInStylesheet } from '../references/css.ts'
import { MAY_HOLD_PICTURE, isPictureUrl, readPictureUrl, writePictureUrl } from '../references/data-url.ts'
import { findInJson } from '../references/json.ts'
import { replaceReferences } from '../references/replace.ts'
import type { Reference } from '../references/types.ts'
import type { Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'

/**
 * Bytes of the smallest picture that is worked on. Among 312 pictures of 8 to 96 pixels, those below saved 79 bytes
 * each, those of 1 to 2 KiB 283, those of 2 to 4 KiB 963, and each took 40 to 80 milliseconds.
 */
const SMALLEST = 1024

/** The kinds of text that pictures stand in. */
export type TextKind = 'css' | 'html' | 'page' | 'json'

/** A text with pictures in it. */
export interface PicturesText {
  readonly text: string
  /** `page` is a page whose CSS somebody else reads. */
  readonly as: TextKind
  /** Absolute path of the file that it is, or becomes. */
  readonly file: string
}

/** Where a picture stands. */
export interface PicturePlace {
  /** Absolute path of the text. */
  readonly file: string
  /** Its place among the pictures of the text, from 1 on, or what else tells it from others. */
  readonly place: number | string
}

/** One picture of a text. */
export interface PlacedPicture extends PicturePlace {
  readonly url: string
}

/**
 * Compresses the raster images that stand in a text as data URLs of base64: each in its own type and place, for the
 * quality target of all images. One that is no smaller, broken, left out by `exclude`, or in an element with
 * `vite-ignore` stays unchanged, to the byte.
 * @throws PixpressError with `onError: 'error'`
 */
export async function withLighterPictures(
  session: Session,
  { text, as, file }: PicturesText,
  warn: Warn,
): Promise<string> {
  if (!MAY_HOLD_PICTURE.test(text)) return text
  const found = await picturesOf(text, as)
  const urls = new Map<Reference, string>()
  await Promise.all(
    found.map(async (reference, index) => {
      const url = await lighterUrl(session, { url: reference.url, file, place: index + 1 }, warn, as)
      if (url !== undefined) urls.set(reference, url)
    }),
  )
  return replaceReferences(text, found, (reference) => urls.get(reference))
}

/**
 * Compresses one picture.
 * @returns its new URL; `undefined` where it stays as it is
 */
export async function lighterUrl(
  session: Session,
  { url, file, place }: PlacedPicture,
  warn: Warn,
  as: TextKind = 'css',
): Promise<string | undefined> {
  const picture = readPictureUrl(url)
  const made = picture && (await lighterBytes(session, { data: picture.data, file, place }, warn, as))
  return made && writePictureUrl(picture, made)
}

/**
 * The same for the bytes of a picture.
 * @returns smaller ones; `undefined` where it stays as it is
 */
export async function lighterBytes(
  session: Session,
  { data, file, place }: PicturePlace & { readonly data: Uint8Array },
  warn: Warn,
  as: TextKind = 'css',
): Promise<Uint8Array | undefined> {
  const type = detectType(data)
  if (type === undefined || type === 'image/svg+xml' || data.length < SMALLEST) return undefined
  // The name has the image's extension, so that patterns of the options are about it as about others.
  const name = `${file} (data: ${place}).${extensionFor(type, '')}`
  if (!session.matches(name) || (await session.isSettled(data))) return undefined
  // A page shows what it holds, and nobody knows what a script makes of the data in JSON.
  const planned = session.planInside(name, data, as === 'json' ? 'public' : 'typed')
  const made = await session.finish(planned, warn)
  return made.type === type && made.data.length < data.length ? made.data : undefined
}

async function picturesOf(text: string, as: TextKind): Promise<Reference[]> {
  if (as === 'css') return findInStylesheet(text, { takes: isPictureUrl })
  if (as === 'json') return findInJson(text).filter(({ url }) => isPictureUrl(url))
  // The parser of pages takes longer to load than all else of a build that has none.
  const { findInHtml } = await import('../references/html.ts')
  const found = findInHtml(text, { takes: isPictureUrl })
  return as === 'page' ? found.filter(({ kind }) => kind !== 'html-style') : found
}
