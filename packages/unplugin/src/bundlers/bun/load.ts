import { exportDefault, toLiteral } from '../../modules/asset-module.ts'
import { nameNewUrls } from '../../modules/new-url-imports.ts'
import { renderAsImports, renderRequest } from '../../modules/render-import.ts'
import type { ModuleImages } from '../../modules/render-import.ts'
import { toDataUrl } from '../../session/encode/data-url.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { LoadArguments, LoadResult } from './bun-api.ts'
import { heldBytes } from './held-images.ts'
import type { Resolver } from './resolve.ts'

type Load = (args: LoadArguments) => Promise<LoadResult | undefined>

/** Loads the modules that this plugin has resolved. */
export interface BunLoader {
  image: Load
  inlineImage: Load
  /** Loads the module of a URL in a store. */
  stored: Load
  module: Load
  script: Load
}

/** Creates the loader of a build. */
export function createBunLoader(session: Session, resolver: Resolver, warn: Warn): BunLoader {
  return {
    async image({ path: file }) {
      const held = resolver.held.get(file)
      if (held !== undefined) return { contents: heldBytes(held), loader: 'file' }
      const image = resolver.images.get(file)
      if (image !== undefined) return { contents: image.data, loader: 'file' }
      return undefined
    },
    async inlineImage({ path: place }) {
      const image = resolver.images.get(place)
      return image === undefined ? undefined : { contents: exportDefault(toLiteral(toDataUrl(image))), loader: 'js' }
    },
    async stored({ path: place }) {
      const url = resolver.storedUrls.get(place)
      // A module of text is what Bun makes of a file's path, for `import` and `require` alike.
      return url === undefined ? undefined : { contents: url, loader: 'text' }
    },
    async module({ path: place }) {
      const request = resolver.modules.get(place)
      if (request === undefined) return undefined
      const { planned, query } = request
      if (query.inline === true) {
        const images: ModuleImages = { onRequest: false, place: inlineExpression }
        return { contents: await renderRequest(session, planned, images, warn), loader: 'js' }
      }
      const register: ModuleImages['place'] = async (_, __, finish) => resolver.register(await finish(), query)
      return {
        contents: await renderAsImports(session, planned, { onRequest: false, place: register }, warn),
        loader: 'js',
      }
    },
    async script({ path: file, loader }) {
      const code = await session.files.readFile(file).then(
        (bytes) => bytes.toString('utf8'),
        // Bun reports a file that cannot be read.
        () => undefined,
      )
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

const inlineExpression: ModuleImages['place'] = async (_, __, finish) => toLiteral(toDataUrl(await finish()))

function importOf(name: string, file: string): string {
  return `import ${name} from ${JSON.stringify(file)};\n`
}
