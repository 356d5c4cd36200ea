import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** Something that answers on 127.0.0.1. */
export interface Server {
  /** With a `/` at the end. */
  readonly url: string
  close(): Promise<void>
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** A static file server with types by extension, as the simplest of hosts has them. */
export async function serveFolder(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const file = path.join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    )
    if (!isFile) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': CONTENT_TYPES[path.extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/**
 * Starts a bundler's dev server in a process of its own.
 * @throws Error with what it printed, when it ends or says nothing for a minute
 */
export function startDevServer(bundler: 'vite' | 'webpack', root: string, options: object): Promise<Server> {
  const script = path.join(import.meta.dirname, 'serve.mjs')
  const { NODE_ENV: _, VITEST: __, ...env } = process.env
  const child = spawn(process.execPath, [script, bundler, JSON.stringify({ root, options })], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async (): Promise<void> => {
    child.stdin.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(timer)
  }
  return new Promise((resolve, reject) => {
    let printed = ''
    const fail = (reason: string): void => reject(new Error(`The ${bundler} dev server ${reason}: ${printed}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not start')
    }, 180_000)
    const listen = (chunk: Buffer): void => {
      printed += chunk.toString()
      const url = /^@@listening (\S+)$/m.exec(printed)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve({ url, close })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', reject)
    void ended.then(() => {
      clearTimeout(timer)
      fail('ended')
    })
  })
}
