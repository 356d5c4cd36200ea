import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Plugin, ViteDevServer } from 'vite'
import type { FindReferences } from '../../inspector/answer.ts'
import { withoutBase } from './dev-url.ts'
import type { ProjectHolder } from './project.ts'

const PATH = '/__pixpress/'

/** The dev server's page about the project's images, and the overlay in pages. */
export function inspector(holder: ProjectHolder): Plugin {
  /** Ids of the images in pages that Vite makes, which are no modules: by the page's URL. */
  const pages = new Map<string, readonly string[]>()
  return {
    name: 'pixpress:inspector',
    apply: 'serve',
    configureServer(server) {
      const { current } = holder
      const { config, session } = current
      printAddress(server)
      server.middlewares.use((request, response, next) => {
        const url = withoutBase(config.base, request.originalUrl ?? request.url ?? '')
        if (url === undefined || !`${url.path}/`.startsWith(PATH) || request.method !== 'GET') return next()
        // Loaded when it is looked at.
        import('../../inspector/answer.ts')
          .then(({ answerInspector }) => answerInspector(session, url.path, references(server, pages)))
          .then((answer) => {
            if (answer === undefined) return next()
            response.statusCode = answer.status
            response.setHeader('Content-Type', answer.type)
            response.setHeader('Cache-Control', 'no-store')
            response.end(answer.body)
          })
          .catch(next)
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { path: page }) {
        pages.set(page, idsIn(html))
        const { base } = holder.current.config
        return [{ tag: 'script', attrs: { type: 'module', src: `${base}__pixpress/overlay.js` }, injectTo: 'body' }]
      },
    },
  }
}

/** Adds the address of the page to those that the dev server prints when it starts. */
function printAddress(server: ViteDevServer): void {
  const printUrls = server.printUrls.bind(server)
  server.printUrls = () => {
    printUrls()
    const [local] = server.resolvedUrls?.local ?? []
    if (local !== undefined) server.config.logger.info(`  ➜  pixpress: ${local.replace(/\/$/, '')}${PATH}`)
  }
}

const idsIn = (text: string): string[] => [...text.matchAll(/\/@pixpress\/([\da-f]{16})\//g)].map(([, id]) => id!)

/**
 * Which modules and pages hold the URL of an image: a module that is the image itself stands for those that import it.
 */
function references(server: ViteDevServer, pages: ReadonlyMap<string, readonly string[]>): FindReferences {
  return (images) => {
    const found = new Map(images.map(({ id }) => [id, new Set<string>()]))
    const add = (id: string, place: string): void => void found.get(id)?.add(place)
    for (const module of server.moduleGraph.idToModuleMap.values()) {
      for (const id of idsIn(module.transformResult?.code ?? module.ssrTransformResult?.code ?? '')) {
        for (const { file } of isImageFile(module.file) ? module.importers : [module]) {
          if (file != null && path.isAbsolute(file) && !isImageFile(file)) add(id, path.normalize(file))
        }
      }
    }
    for (const [page, inPage] of pages) for (const id of inPage) add(id, page.slice(1))
    return new Map([...found].map(([id, places]) => [id, [...places].sort()]))
  }
}

const IMAGE_FILE = new RegExp(`${EXTENSION_PATTERN}$`, 'i')

const isImageFile = (file: string | null): boolean => IMAGE_FILE.test(file ?? '')
