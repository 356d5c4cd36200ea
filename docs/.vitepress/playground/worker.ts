import { createReference } from '../../../packages/core/src/quality/metric/ssimulacra2.ts'
import { isTransparent } from '../../../packages/core/src/quality/metric/pixels.ts'
import { decode, encodeByBrowser } from './canvas.ts'
import type { Picture } from './canvas.ts'
import { ENCODERS } from './encoders.ts'
import type { Encoded, Encoder } from './encoders.ts'
import type { Answer, Asked, Kept } from './messages.ts'
import { searchSmallest } from './search.ts'

/** The promise of `quality: 'high'`. */
const PROMISE = 80

/** The metric holds about 21 bytes for each pixel, and twice that with transparency. */
const MOST_PIXELS = 24_000_000

/** The members of a worker's scope that are used here; the library of types for workers excludes that for pages. */
const scope = globalThis as unknown as {
  addEventListener(name: 'message', listener: (event: MessageEvent<Asked>) => void): void
  postMessage(answer: Answer): void
}

scope.addEventListener('message', ({ data: { id, file } }) => {
  const started = performance.now()
  work(id, file).then(
    () => scope.postMessage({ id, kind: 'done', milliseconds: performance.now() - started }),
    (error: unknown) => {
      const sentence = error instanceof Error ? error.message : String(error)
      scope.postMessage({ id, kind: 'failed', sentence })
    },
  )
})

async function work(id: number, file: Blob): Promise<void> {
  const picture = await read(file)
  const { width, height } = picture
  scope.postMessage({ id, kind: 'read', width, height })
  const isOpaque = !isTransparent(picture)
  const reference = createReference(picture)
  try {
    for (const encoder of ENCODERS) {
      const score = (pixels: Picture): number => reference.score(pixels)
      const refusal = encoder.refuses(picture, isOpaque)
      const result = refusal ?? (await searchWith(encoder, { id, picture, score }))
      if (typeof result === 'string') scope.postMessage({ id, kind: 'left', type: encoder.type, why: result })
      else scope.postMessage({ id, kind: 'kept', result })
    }
  } finally {
    reference.dispose()
  }
}

async function read(file: Blob): Promise<Picture> {
  const picture = await decode(file).catch(() => {
    throw new Error('This browser cannot read the file. Take a JPEG, PNG, WebP, AVIF or GIF.')
  })
  if (picture.width * picture.height > MOST_PIXELS)
    throw new Error('The picture has more than 24 megapixels. The command has no such limit: npx pixpress')
  return picture
}

interface Subject {
  readonly id: number
  readonly picture: Picture
  readonly score: (pixels: Picture) => number
}

/** Marks a type that the browser has no encoder for. */
class Unavailable extends Error {}

/** Finds the smallest result that keeps the promise, or says why there is none. */
async function searchWith(encoder: Encoder, { id, picture, score }: Subject): Promise<Kept | string> {
  const { type, by, least, most, name, prepare } = encoder
  const encode = prepare(picture)
  try {
    const found = await searchSmallest<Encoded>(PROMISE, {
      least,
      most,
      onTry: (tries) => scope.postMessage({ id, kind: 'trying', type, tries }),
      async tryAt(setting) {
        const result = await encode(setting)
        if (result === undefined) throw new Unavailable('This browser does not write the type. The build does.')
        return { result, score: score(result.pixels) }
      },
    })
    if (found === undefined) return `At its best it does not reach a score of ${PROMISE}.`
    const { file, pixels } = found.result
    const shown = await shownAs(file, pixels)
    return { type, by, setting: name(found.setting), file, shown, score: found.score }
  } catch (error) {
    if (error instanceof Unavailable) return error.message
    throw error
  }
}

/** The file, or a PNG of its pixels where the browser cannot show it. */
async function shownAs(file: Blob, pixels: Picture): Promise<Blob> {
  if (file.type !== 'image/jxl') return file
  const isShown = await createImageBitmap(file).then(
    () => true,
    () => false,
  )
  return isShown ? file : ((await encodeByBrowser(pixels, 'image/png')) ?? file)
}
