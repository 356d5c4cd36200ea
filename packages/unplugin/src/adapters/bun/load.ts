import { readFile } from 'node:fs/promises'
import { toDataUrl } from '../../core/data-url.ts'
import { finishRequest, renderImages } from '../../core/image-module.ts'
import { nameNewUrls } from '../../core/new-url-imports.ts'
import { exportDefault, toLiteral } from '../../core/reference/asset-module.ts'
import type { Session, Warn } from '../../core/session.ts'
import type { LoadArguments, LoadResult } from './bun-api.ts'
import type { Resolver } from './resolve.ts'

type Load = (args: LoadArguments) => Promise<LoadResult | undefined>

export interface BunLoader {
  image: Load
  inlineImage: Load
  /** Loads the module of an address. */
  stored: Load
  module: Load
  script: Load
}

export function createBunLoader(session: Session, resolver: Resolver, warn: Warn): BunLoader {
  return {
    async image({ path: file }) {
      const image = resolver.images.get(file)
      if (image !== undefined) return { contents: image.data, loader: 'file' }
      return undefined
    },
    async inlineImage({ path: place }) {
      const image = resolver.images.get(place)
      return image === undefined ? undefined : { contents: exportDefault(toLiteral(toDataUrl(image))), loader: 'js' }
    },
    async stored({ path: place }) {
      const address = resolver.addresses.get(place)
      // As text it is what Bun makes of a file's path, for `import` and `require` alike.
      return address === undefined ? undefined : { contents: address, loader: 'text' }
    },
    async module({ path: place }) {
      const request = resolver.modules.get(place)
      if (request === undefined) return undefined
      const { planned, query } = request
      const images = await finishRequest(session, planned, warn)
      if (session.parseQuery(query).inline === true) {
        const urls = images.map((image) => toLiteral(toDataUrl(image)))
        return { contents: renderImages(planned, images, urls), loader: 'js' }
      }
      const names = images.map((_, index) => `_${index}`)
      const imports = await Promise.all(
        images.map(async (image, index) => importOf(names[index]!, await resolver.register(image, query))),
      )
      return { contents: imports.join('') + renderImages(planned, images, names), loader: 'js' }
    },
    async script({ path: file, loader }) {
      const code = await readFile(file, 'utf8').catch(() => undefined)
      // What cannot be read is Bun's to report.
      const named = code === undefined ? undefined : await nameNewUrls(session, file, code, warn)
      if (named === undefined) return undefined
      const { text, imports } = named
      const lines = await Promise.all(
        imports.map(async ({ name, image, query }) => importOf(name, await resolver.register(image, query))),
      )
      for (const line of lines) text.append(`\n${line}`)
      return { contents: text.toString(), loader }
    },
  }
}

function importOf(name: string, file: string): string {
  return `import ${name} from ${JSON.stringify(file)};\n`
}
