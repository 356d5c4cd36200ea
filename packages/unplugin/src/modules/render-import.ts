import type { ImageDetails, ProbeResult } from '@pixpress/core'
import { imageDetails } from '@pixpress/core/internal'
import { needsBytes, renderModule } from '../directives/shapes.ts'
import type { FinishedImage, OriginalImage, PlannedImage, PlannedRequest, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { visibleText } from '@pixpress/core/report'
import { relativePath } from '../base/paths.ts'
import { exportDefault } from './asset-module.ts'
import type { ImageReference } from './reference.ts'

/** How a bundler takes the images of one module. */
export interface ModuleImages {
  /**
   * Tells whether images are encoded when a browser asks for them: then nothing is encoded for the module, unless it
   * has to hold a number of bytes.
   */
  readonly onRequest: boolean
  /**
   * Gives the image a place in the build.
   * @param index its number among the images of the module, which are asked for one after the other
   * @param finish encodes the image, where that has not been done for the module
   */
  place(
    image: PlannedImage | OriginalImage,
    index: number,
    finish: () => Promise<FinishedImage>,
  ): string | Promise<string>
}

/**
 * The code of the module that an image import stands for.
 * @param images `place` gives a JavaScript expression of the image's URL
 * @throws PixpressError `INVALID_OPTION` for directives that are refused; any code with `onError: 'error'`
 */
export async function renderImport(
  session: Session,
  { file, query, use }: ImageReference,
  images: ModuleImages,
  warn: Warn,
): Promise<string> {
  if (query.hasDirectives) return renderRequest(session, await session.planRequest(file, query), images, warn)
  if (query.original) {
    const original = await session.original(file)
    return exportDefault(await images.place(original.planned, 0, () => Promise.resolve(original)))
  }
  const planned = await session.plan(file, use)
  return exportDefault(await images.place(planned, 0, () => session.finish(planned, warn)))
}

/** How a bundler takes the images of a module as requests of their own. */
export interface ImportedImages extends ModuleImages {
  /** Gives the statement that binds the URL of a request to a name. Default: an import. */
  bind?(name: string, specifier: string): string
}

/**
 * The module of a request whose images are imports of their own, so that the bundler names, inlines and emits each of
 * them like any other image.
 * @param images `place` gives the specifier to import; it is only asked for the images that the module names, as what
 *   it leaves out must not be emitted
 */
export async function renderAsImports(
  session: Session,
  request: PlannedRequest,
  images: ImportedImages,
  warn: Warn,
): Promise<string> {
  const { bind = (name, specifier) => `import ${name} from ${JSON.stringify(specifier)};\n` } = images
  const finish: (() => Promise<FinishedImage>)[] = []
  const place: ModuleImages['place'] = (_, index, finishOne) => {
    finish[index] = finishOne
    return `_${index}`
  }
  const code = await renderRequest(session, request, { onRequest: images.onRequest, place }, warn)
  const imports: string[] = []
  for (const [index, image] of request.images.entries()) {
    if (!new RegExp(`\\b_${index}\\b`).test(code)) continue
    const specifier = await images.place(image, index, finish[index]!)
    imports.push(bind(`_${index}`, specifier))
  }
  return imports.join('') + code
}

/** The code of the module of a request. Parameters and errors as for `renderImport`. */
export async function renderRequest(
  session: Session,
  request: PlannedRequest,
  { onRequest, place }: ModuleImages,
  warn: Warn,
): Promise<string> {
  const { source } = request
  for (const [name, sentence] of request.request.notes ?? []) {
    const shown = relativePath(session.options.root, request.images[0]!.file)
    session.log.once(`directives ${name}`, () => warn(visibleText(`${shown}: ${sentence}`)))
  }
  const isDescribed = needsBytes(request.request)
  const finished =
    onRequest && !isDescribed
      ? undefined
      : await Promise.all(request.images.map((image) => session.finish(image, warn)))
  const described = finished ?? (await Promise.all(request.images.map((image) => session.expect(image))))
  const sources: string[] = []
  // One after the other, so that equal names are told apart in the same order in every build.
  for (const [index, image] of request.images.entries()) {
    const made = finished?.[index]
    sources.push(await place(image, index, () => (made ? Promise.resolve(made) : session.finish(image, warn))))
  }
  const details = isDescribed ? await Promise.all((finished ?? []).map((made) => detailsOf(made, source))) : []
  const placeholders = await Promise.all(
    request.images.map((image, index) => (finished ? finished[index]?.placeholder : session.placeholder(image))),
  )
  const results = described.map(({ width, height, type }, index) => {
    const made = finished?.[index]
    const known = details[index]
    return {
      src: sources[index]!,
      width: width || source.width,
      height: height || source.height,
      type: type === 'application/octet-stream' ? source.type : type,
      ...(made !== undefined && { size: made.data.length }),
      ...(known !== undefined && { details: known }),
      placeholder: placeholders[index],
    }
  })
  const { namedExports: named, outputs } = session.options
  return renderModule(request.request, results, source, { named, outputs })
}

function detailsOf({ data, type }: FinishedImage, { hasAlpha, type: own }: ProbeResult): Promise<ImageDetails> {
  return imageDetails(data, { type: type === 'application/octet-stream' ? own : type, hasAlpha })
}
