import path from 'node:path'
import type { OnLoadArgs, OnLoadResult } from 'esbuild'
import { toLiteral } from '../../modules/asset-module.ts'
import { deliver } from '../../modules/deliver.ts'
import { renderAsImports } from '../../modules/render-import.ts'
import { virtualPath } from '../../modules/virtual-path.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { LoaderOf } from './loaders.ts'
import { withMessages } from './messages.ts'
import { ownDataOf, withOwnData } from './own-data.ts'
import type { ImportedImage } from './own-data.ts'

type Load = (args: OnLoadArgs) => Promise<OnLoadResult | undefined>

/** Loads the modules that this plugin has resolved. */
export interface ImageLoader {
  /** Loads an image. */
  image: Load
  /** Loads the module of a request. */
  module: Load
  /** Loads the module of a URL in a store. */
  stored: Load
}

/**
 * Creates the loader of a build.
 * @param loaderOf esbuild's loader for a file's extension
 */
export function createImageLoader(session: Session, loaderOf: LoaderOf): ImageLoader {
  return {
    async image({ path: file, pluginData, with: attributes }) {
      const data = ownDataOf(pluginData)
      if (data?.kind === 'image') {
        return { contents: data.image.data, loader: data.loader, watchFiles: [data.image.planned.file] }
      }
      // An import attribute asks esbuild for a loader of its own.
      if (Object.keys(attributes).length > 0) return undefined
      const loader = loaderOf(file)
      if (loader === undefined || !session.matches(file)) return undefined
      // The paths of a glob (`import(`./${name}.png`)`) are never resolved by plugins, and those that another plugin
      // resolved have not been by this one.
      return withMessages(async (warn) => {
        const image = await session.finish(await session.plan(file), warn)
        const emit = async ({ data: contents }: FinishedImage): Promise<OnLoadResult> => {
          if ((await virtualPath(session, image, false)) === file) return { contents, loader, watchFiles: [file] }
          const code = `module.exports = require(${JSON.stringify(`./${path.basename(file)}`)})`
          return { contents: code, loader: 'js', resolveDir: path.dirname(file), watchFiles: [file] }
        }
        const delivered = await deliver(session, image, { local: loader !== 'file', emit })
        return delivered.by === 'emit' ? delivered.emitted : urlModule(delivered.url, file)
      })
    },
    async stored({ pluginData }) {
      const data = ownDataOf(pluginData)
      return data?.kind === 'stored' ? urlModule(data.url, data.file) : undefined
    },
    async module({ pluginData }) {
      const data = ownDataOf(pluginData)
      if (data?.kind !== 'module') return undefined
      const { file, planned, query } = data
      return withMessages(async (warn) => {
        const images: ImportedImage[] = []
        const place = async (_: unknown, index: number, finish: () => Promise<FinishedImage>): Promise<string> => {
          images[index] = { image: await finish(), query }
          return `pixpress:${index}`
        }
        return {
          contents: await renderAsImports(session, planned, { onRequest: false, place }, warn),
          loader: 'js' as const,
          pluginData: withOwnData({ kind: 'imports', images }),
          resolveDir: path.dirname(file),
          watchFiles: [file],
        }
      })
    },
  }
}

/** Gives what esbuild's own loader makes of a file, for `import` and `require` alike. */
function urlModule(url: string, file?: string): OnLoadResult {
  return {
    contents: `module.exports = ${toLiteral(url)}`,
    loader: 'js',
    ...(file !== undefined && { watchFiles: [file] }),
  }
}
