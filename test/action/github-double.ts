import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface Comment {
  readonly id: number
  body: string
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' }
  readonly html_url: string
}

/** The part of GitHub's interface that has comments, as a token of a job sees it. */
export interface GitHubDouble {
  readonly url: string
  /** The comments of pull request 7 of `owner/site`. */
  readonly comments: Comment[]
  /** Method and path of every request. */
  readonly requests: string[]
  /** The token may only read, like that of a pull request from a fork. */
  readOnly: boolean
  add(login: string, type: 'Bot' | 'User', body: string): void
  close(): Promise<void>
}

export const TOKEN = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz'
const COMMENTS = '/repos/owner/site/issues/7/comments'
const ONE = /^\/repos\/owner\/site\/issues\/comments\/(\d+)$/

export async function startGitHub(): Promise<GitHubDouble> {
  const comments: Comment[] = []
  const requests: string[] = []
  const add = (login: string, type: 'Bot' | 'User', body: string): Comment => {
    const id = comments.length + 1
    const comment = { id, body, user: { login, type }, html_url: `https://github.example/owner/site/pull/7#${id}` }
    comments.push(comment)
    return comment
  }

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    requests.push(`${request.method} ${pathname}`)
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, { message: 'Bad credentials' }]
    if (request.method === 'GET' && pathname === COMMENTS) {
      const [size, page] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)]
      return [200, comments.slice((page - 1) * size, page * size)]
    }
    const found = comments.find(({ id }) => id === Number(ONE.exec(pathname)?.[1]))
    const isWrite = (request.method === 'POST' && pathname === COMMENTS) || request.method === 'PATCH'
    // A token of a job is no user's, so /user is refused as well.
    if (!isWrite || double.readOnly) return [403, { message: 'Resource not accessible by integration' }]
    const { body } = (await json(request)) as { body: string }
    if (body.length > 65_536) return [422, { message: 'Validation Failed' }]
    if (request.method === 'POST') return [201, add('github-actions[bot]', 'Bot', body)]
    if (found === undefined) return [404, { message: 'Not Found' }]
    found.body = body
    return [200, found]
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const double: GitHubDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments,
    requests,
    readOnly: false,
    add: (login, type, body) => void add(login, type, body),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return double
}
