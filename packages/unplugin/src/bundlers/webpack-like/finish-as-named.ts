import path from 'node:path'
import type { ImageType, ResizeOptions } from '@pixpress/core'
import { isImageType, typeOfExtension } from '@pixpress/core/internal'
import type { FinishedImage, PlannedImage, Warn, WorkableImage } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'

/**
 * The image in the type that its module's name promises. Names are given first; the file, or what other loaders made of
 * it, may have changed since. And a request whose image only its resolution shows has no name but the file's (Rspack).
 */
export async function finishAsNamed(
  session: Session,
  planned: PlannedImage,
  name: string | undefined,
  warn: Warn,
): Promise<FinishedImage> {
  const image = await session.finish(planned, warn)
  if (planned.plan === undefined) return image
  const { type } = planned.plan
  if (name === undefined) {
    return image.type === type ? image : session.finish(session.planBytes(planned.file, planned.source, 'typed'), warn)
  }
  const promised = typeOfName(name)
  if (promised === undefined || promised === image.type) return image
  return session.finish(demandType(session, planned, promised), warn)
}

/** The same image, asked for in one type. */
export function demandType(session: Session, planned: WorkableImage, type: ImageType): PlannedImage {
  const { operations } = planned.plan
  const { resize, background, preserve, score, maxBytes, effort, encoder, lossless, adjust } = operations
  return session.planBytes(planned.file, planned.source, 'content', {
    convert: { type },
    preserve,
    quality: score,
    effort,
    ...(maxBytes !== null && { maxBytes }),
    ...(encoder !== null && { encoder }),
    ...(lossless !== undefined && { lossless }),
    ...(adjust !== undefined && { adjust }),
    // A resolved path means itself.
    ...(resize !== null && { resize: resize as ResizeOptions }),
    ...(background !== null && { transform: { background: background as `#${string}` } }),
  })
}

/** The type that a file's extension promises. */
export function typeOfName(name: string): ImageType | undefined {
  const type = typeOfExtension(path.extname(name.replace(/[?#].*$/, '')).slice(1))
  return type !== undefined && isImageType(type) ? type : undefined
}
