import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { resolveOperations } from '@pixpress/core/internal'
import { distinctName } from './distinct-name.ts'
import type { FinishedImage } from '../session/plan/images.ts'
import { createImageOptions } from '../session/plan/image-operations.ts'
import type { Session } from '../session/session.ts'

/**
 * The path that an image has for bundlers that name outputs by the paths of their inputs (esbuild, Bun): beside its
 * source and, as a rule, with nothing there on the disk. They take `[dir]`, `[name]` and `[ext]` from it, and take
 * modules of one path for one module. So no two different images may share a path, and the same image has the same one
 * in every build.
 */
export async function virtualPath(session: Session, image: FinishedImage, isOriginal: boolean): Promise<string> {
  const { file, id } = image.planned
  const { name, ext } = path.parse(await distinctName(session, image))
  const isNamed = isNamedByDirectives(session, image) && !isPictureAlone(session, image)
  const mark = isOriginal ? '.original' : isNamed ? '' : `-${id.slice(0, 8)}`
  return path.join(path.dirname(file), name + mark + ext)
}

/** Tells whether an SVG has another version besides, whose elements stay. */
function isPictureAlone({ options }: Session, { planned }: FinishedImage): boolean {
  if (planned.plan?.type !== 'image/svg+xml' || planned.plan.operations.keepElements === true) return false
  return createImageOptions(options).usual(planned.file).keepElements !== false
}

/**
 * Tells whether the name says all that sets the image apart from others of its source: the width it is scaled to, the
 * type.
 */
function isNamedByDirectives({ options }: Session, { planned }: FinishedImage): boolean {
  if (planned.plan === undefined) return true
  const { resize, background, preserve, score, maxBytes, effort, encoder, lossless, adjust } = planned.plan.operations
  const usual = resolveOperations(createImageOptions(options).usual(planned.file))
  const isScaledToWidth = resize?.method === 'scale' && Object.keys(resize).join() === 'method,width'
  const rest = {
    resize: isScaledToWidth ? null : resize,
    background,
    preserve,
    score,
    maxBytes,
    effort,
    encoder,
    lossless,
    adjust,
  }
  const usualRest = {
    resize: isScaledToWidth ? null : usual.resize,
    background: usual.background,
    preserve: usual.preserve,
    score: usual.score,
    maxBytes: usual.maxBytes,
    effort: usual.effort,
    encoder: usual.encoder,
    lossless: planned.reason === undefined ? usual.lossless : true,
    adjust: usual.adjust,
  }
  return isDeepStrictEqual(rest, usualRest)
}
