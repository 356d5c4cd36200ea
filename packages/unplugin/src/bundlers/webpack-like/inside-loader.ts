import { createHash } from 'node:crypto'
import path from 'node:path'
import { lighterBytes, withLighterPictures } from '../../modules/pictures-inside.ts'
import { attachedBuild, describeFailure, emitNotice } from './loader-context.ts'
import type { ImageLoaderContext } from './loader-context.ts'

/** Takes bytes instead of text. */
export const raw = true

/**
 * A picture of a data URL, which these bundlers make a module of, or a JSON file with such pictures → the same with
 * smaller pictures.
 *
 * Not for thread-loader: it needs the plugin's process.
 */
function insideLoader(this: ImageLoaderContext, content: Content, map?: unknown, meta?: unknown): void {
  const callback = this.async()
  processText(this, content).then((result) => callback(null, result, map, meta), callback)
}

export default insideLoader

type Content = string | Uint8Array

async function processText(context: ImageLoaderContext, content: Content): Promise<Content> {
  const { session, isLazy, holders } = attachedBuild(context)
  // A dev server has no need of smaller pictures.
  if (isLazy) return content
  const warn = (message: string): void => emitNotice(context, message)
  const bytes = Buffer.from(content as Uint8Array)
  try {
    if (!isData(context)) {
      const { _module: module } = context
      // A file that is imported as something else (`?raw`, `?url`) is not the bundler's to read.
      if (module?.type !== 'json') return content
      const text = bytes.toString('utf8')
      const made = await withLighterPictures(session, { text, as: 'json', file: context.resourcePath }, warn)
      return made === text ? content : made
    }
    const place = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
    const file = holders.get(context.resource ?? context.resourcePath) ?? path.join(session.options.root, 'text')
    const made = await lighterBytes(session, { data: bytes, file, place }, warn)
    return made === undefined ? content : Buffer.from(made.buffer, made.byteOffset, made.byteLength)
  } catch (error) {
    throw describeFailure(error, context, session.options.root)
  }
}

const isData = ({ resourcePath, resource }: ImageLoaderContext): boolean =>
  /^data:/i.test(resource ?? '') || /^data:/i.test(resourcePath)
