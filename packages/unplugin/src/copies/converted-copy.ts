import type { FinishedImage, PlannedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'

/**
 * Makes the converted copy of an image that keeps its own file, such as one of the public folder.
 * @param file absolute path of the source
 * @returns `undefined` if `convert` finds no better format
 */
export async function convertedCopy(session: Session, file: string, warn: Warn): Promise<FinishedImage | undefined> {
  const tried = await triedCopy(session, file, warn)
  return tried && session.finish(tried.planned, warn)
}

/** The same, but it is no part of the build yet. */
export async function triedCopy(
  session: Session,
  file: string,
  warn: Warn,
): Promise<(FinishedImage & { planned: PlannedImage }) | undefined> {
  const planned = await session.plan(file, 'content')
  if (planned.plan === undefined || planned.plan.operations.types === null) return undefined
  const tried = await session.trial(planned, warn)
  return tried.type === planned.plan.type || tried.missing !== undefined ? undefined : { ...tried, planned }
}
