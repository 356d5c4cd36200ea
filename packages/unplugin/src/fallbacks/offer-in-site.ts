import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { offerAlternatives } from './offer-alternatives.ts'
import type { Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { filesOf } from '../base/files.ts'

/**
 * Has the pages and stylesheets of a finished site offer each image in other types beside its own; files are changed in
 * place. Does nothing unless the options want it.
 * @param folder absolute path of the site
 * @param base what stands before a name in URLs: `/`, or `/docs/`
 */
export async function offerInSite(session: Session, folder: string, base: string, warn: Warn): Promise<void> {
  if (!session.alternatives.isWanted) return
  const files = await filesOf(folder)
  await offerAlternatives(
    session,
    {
      base,
      names: files.map((file) => path.relative(folder, file).split(path.sep).join('/')),
      read: (name) => readFileSync(path.join(folder, name)),
      write: (name, text) => writeFileSync(path.join(folder, name), text),
      emit(image, beside) {
        const { name, ext } = path.parse(image.name)
        const hash = createHash('sha256').update(image.data).digest('base64url').slice(0, 8)
        const emitted = path.posix.join(path.posix.dirname(beside), `${name}.${hash}${ext}`)
        writeFileSync(path.join(folder, emitted), image.data)
        return emitted
      },
    },
    warn,
  )
}
