import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Project } from '@pixpress/testkit'
import pixpress from 'unplugin-pixpress/vite'
import type { Options } from 'unplugin-pixpress/vite'
import type { InlineConfig, ViteDevServer } from 'vite'
import type { ViteName } from './build.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface DevServer {
  readonly server: ViteDevServer
  readonly warnings: string[]
  /** Sends a path as it is, unlike `fetch`, which normalises it. */
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>
  /** The module of an import, evaluated: its default export. */
  load(path: string): Promise<unknown>
  /** Files in the cache: the images that were encoded. */
  encoded(): Promise<number>
  close(): Promise<void>
}

/** A dev server on a free port, with its cache in the project. */
export async function serve(
  project: Project,
  vite: ViteName,
  { options = {}, config = {} }: { options?: Options; config?: InlineConfig } = {},
): Promise<DevServer> {
  const { createLogger, createServer } = (await import(vite)) as typeof import('vite')
  const warnings: string[] = []
  const customLogger = createLogger('silent')
  customLogger.warn = (message) => void warnings.push(message)
  const server = await createServer({
    root: project.root,
    configFile: false,
    customLogger,
    cacheDir: project.path('node_modules/.vite'),
    plugins: [pixpress({ report: false, ...options })],
    ...config,
    server: { host: '127.0.0.1', port: 0, ...config.server },
  })
  await server.listen(0)
  const { port } = server.httpServer!.address() as AddressInfo
  const ask: DevServer['ask'] = (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      })
      sent.on('error', reject)
      sent.end()
    })
  return {
    server,
    warnings,
    ask,
    async load(path) {
      const { status, headers, body } = await ask(path)
      if (status !== 200 || !headers['content-type']?.includes('javascript')) {
        throw new Error(`${path} is no module: ${status} ${headers['content-type']} ${body.toString()}`)
      }
      const { default: value } = (await import(`data:text/javascript,${encodeURIComponent(body.toString())}`)) as {
        default: unknown
      }
      return value
    },
    encoded: async () => (await project.list('.cache/pixpress')).filter((file) => file !== '.gitignore').length,
    close: () => server.close(),
  }
}
