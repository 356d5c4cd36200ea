import { toDataUrl } from './data-url.ts'
import { parseQuery } from './directives/query.ts'
import { renderModule } from './directives/shapes.ts'
import { finishRequest, renderImages } from './image-module.ts'
import type { ImageReference } from './image-module.ts'
import { exportDefault, toLiteral } from './reference/asset-module.ts'
import type { PlannedImage, Session, Warn } from './session.ts'

/** Where a dev server answers with what. */
export interface ServedUrls {
  /** The URL of a planned image, the `index`th that the module asks for. */
  planned(image: PlannedImage, index: number): string
  /** The URL of the untouched file. */
  original(file: string): string | Promise<string>
}

/**
 * The code of the module that an image import stands for in a dev server that encodes on request: nothing is encoded
 * here, unless the module has to hold the bytes, or their number.
 * @throws PixpressError `INVALID_OPTION` for directives that are refused
 */
export async function createServedModule(
  session: Session,
  { file, query: text, use }: ImageReference,
  urls: ServedUrls,
  warn: Warn,
): Promise<string> {
  const query = parseQuery(text)
  const isInline = query.inline === true
  if (!query.hasDirectives) {
    if (query.original) {
      const url = isInline ? toDataUrl(await session.original(file)) : await urls.original(file)
      return exportDefault(toLiteral(url))
    }
    const planned = await session.plan(file, use)
    const url = isInline ? toDataUrl(await session.finish(planned, warn)) : urls.planned(planned, 0)
    return exportDefault(toLiteral(url))
  }
  const planned = await session.planRequest(file, query)
  const { output } = planned.request
  const needsSize = output.as === 'metadata' && (output.keys === undefined || output.keys.includes('size'))
  if (isInline || needsSize) {
    const images = await finishRequest(session, planned, warn)
    const sources = images.map((image, index) => (isInline ? toDataUrl(image) : urls.planned(image.planned, index)))
    return renderImages(planned, images, sources.map(toLiteral))
  }
  const results = await Promise.all(
    planned.images.map(async (image, index) => {
      const { width, height, type } = await session.expect(image)
      return {
        src: toLiteral(urls.planned(image, index)),
        width,
        height,
        type: type === 'application/octet-stream' ? planned.source.type : type,
      }
    }),
  )
  return renderModule(planned.request, results, planned.source)
}
