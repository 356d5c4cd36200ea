import path from 'node:path'
import type { OnLoadArgs, OnLoadResult } from 'esbuild'
import { withLighterPictures } from '../../modules/pictures-inside.ts'
import type { Session } from '../../session/session.ts'
import { withMessages } from './messages.ts'

/** Texts that pictures stand in. */
export const TEXT_FILE: RegExp = /\.(?:css|json)$/i

/**
 * Loads a stylesheet or a JSON file with its pictures compressed. One without pictures, or whose pictures are no
 * smaller, is left to other plugins and to esbuild.
 */
export async function loadWithPictures(
  { path: file, with: attributes }: OnLoadArgs,
  session: Session,
): Promise<OnLoadResult | undefined> {
  // A file that is imported as text or bytes is not esbuild's to read.
  if (attributes.type !== undefined && attributes.type !== 'json' && attributes.type !== 'css') return undefined
  const text = await session.files.readFile(file).then(
    (bytes) => bytes.toString('utf8'),
    // Esbuild reports a file that cannot be read.
    () => '',
  )
  const as = path.extname(file).toLowerCase() === '.json' ? 'json' : 'css'
  return withMessages(async (warn) => {
    const contents = await withLighterPictures(session, { text, as, file }, warn)
    return contents === text ? undefined : { contents, loader: 'default' as const }
  })
}
