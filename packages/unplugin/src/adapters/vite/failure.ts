import { PixpressError } from '@pixpress/core'
import { relativePath } from '../../core/relative-path.ts'
import type { LocatedImage, ViteProject } from './project.ts'

/** Vite shows a plugin's error without saying what it was about: this names the image, and the query as it is spelt. */
export function withReference(error: unknown, { config }: ViteProject, { file, query }: LocatedImage): unknown {
  if (!(error instanceof PixpressError)) return error
  const shown = relativePath(config.root, file)
  if (error.message.startsWith(shown)) return error
  return new PixpressError(error.code, `${shown}${query}: ${error.message}`, { file: shown, cause: error.cause })
}
