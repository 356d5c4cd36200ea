import path from 'node:path'
import type { OnLoadArgs, OnLoadResult } from 'esbuild'
import { finishRequest, renderImages } from '../../core/image-module.ts'
import { toLiteral } from '../../core/reference/asset-module.ts'
import type { Session } from '../../core/session.ts'
import type { LoaderOf } from './loaders.ts'
import { withMessages } from './messages.ts'
import { ownDataOf, withOwnData } from './own-data.ts'
import { virtualPath } from '../../core/virtual-path.ts'

type Load = (args: OnLoadArgs) => Promise<OnLoadResult | undefined>

export interface ImageLoader {
  /** Loads an image. */
  image: Load
  /** Loads the module of a request. */
  module: Load
  /** Loads the module of an address. */
  stored: Load
}

export function createImageLoader(session: Session, loaderOf: LoaderOf): ImageLoader {
  return {
    async image({ path: file, pluginData }) {
      const data = ownDataOf(pluginData)
      if (data?.kind === 'image') {
        return { contents: data.image.data, loader: data.loader, watchFiles: [data.image.planned.file] }
      }
      const loader = loaderOf(file)
      if (loader === undefined || !session.matches(file)) return undefined
      // The paths of a glob (`import(`./${name}.png`)`) are never resolved by plugins, and those that another plugin
      // resolved have not been by this one.
      return withMessages(async (warn) => {
        const image = await session.finish(await session.plan(file), warn)
        const address = loader === 'file' ? await session.stored(image) : undefined
        if (address !== undefined) return addressModule(address, file)
        if ((await virtualPath(session, image, false)) === file) {
          return { contents: image.data, loader, watchFiles: [file] }
        }
        const contents = `module.exports = require(${JSON.stringify(`./${path.basename(file)}`)})`
        return { contents, loader: 'js' as const, resolveDir: path.dirname(file), watchFiles: [file] }
      })
    },
    async stored({ pluginData }) {
      const data = ownDataOf(pluginData)
      return data?.kind === 'stored' ? addressModule(data.address, data.file) : undefined
    },
    async module({ pluginData }) {
      const data = ownDataOf(pluginData)
      if (data?.kind !== 'module') return undefined
      const { file, planned, query } = data
      return withMessages(async (warn) => {
        const images = await finishRequest(session, planned, warn)
        const names = images.map((_, index) => `_${index}`)
        const imports = names.map((name, index) => `import ${name} from "pixpress:${index}";\n`)
        return {
          contents: imports.join('') + renderImages(planned, images, names),
          loader: 'js' as const,
          pluginData: withOwnData({ kind: 'imports', images: images.map((image) => ({ image, query })) }),
          resolveDir: path.dirname(file),
          watchFiles: [file],
        }
      })
    },
  }
}

/** What esbuild's own loader makes of a file, for `import` and `require` alike. */
function addressModule(address: string, file: string): OnLoadResult {
  return { contents: `module.exports = ${toLiteral(address)}`, loader: 'js', watchFiles: [file] }
}
