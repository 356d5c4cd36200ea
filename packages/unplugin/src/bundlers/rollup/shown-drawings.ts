import { shownId } from '../../modules/shown-drawing.ts'
import type { Session } from '../../session/session.ts'
import type { Resolution, ResolveContext } from './hooks.ts'

/** Resolves an import of an SVG that a script shows in `<img>` alone; `null` for any other. */
export async function resolveShown<R extends Resolution>(
  context: ResolveContext<R>,
  session: Session,
  specifier: string,
  importer: string,
): Promise<R | null> {
  let resolution: R | null = null
  const id = await shownId(session.files, specifier, importer, async () => {
    resolution = await context.resolve(specifier, importer, { skipSelf: true, isEntry: false })
    const isTaken = resolution !== null && resolution.external === false && session.matches(resolution.id)
    return isTaken ? resolution!.id : undefined
  })
  return id === undefined ? null : { ...resolution!, id }
}
