import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, expect, it } from 'vitest'
import { build, readOutput } from '../contract/build.ts'
import type { BuildResult } from '../contract/build.ts'
import { leaks } from '../remote/secrets.ts'

const SECRET = 'a-secret-key-that-nobody-may-see'

let project: Project | undefined
let server: http.Server | undefined
afterEach(async () => {
  await project?.dispose()
  server?.closeAllConnections()
  server?.close()
  project = server = undefined
})

/** A storage that answers in its own way. */
async function listen(answer: http.RequestListener): Promise<string> {
  server = http.createServer(answer)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function buildWith(endpoint: string): Promise<BuildResult> {
  project = await createProject('store-failures', {
    files: {
      'index.html': '<!doctype html><title>x</title><script type="module" src="/src/main.js"></script>',
      'src/main.js': "import a from './a.jpg?no-inline'\nimport b from './b.jpg?no-inline'\ndocument.title = a + b\n",
      'src/a.jpg': await photo(120, 80, 1).jpeg(95),
      'src/b.jpg': await photo(120, 80, 2).jpeg(95),
    },
  })
  return build(project, 'vite', {
    store: {
      service: 's3',
      aws_access_key_id: 'AKIDEXAMPLE',
      aws_secret_access_key: SECRET,
      region: 'us-east-1',
      path: 'pictures',
      endpoint,
      manifest: 'images.json',
    },
    // This option only concerns images that are broken.
    onError: 'warn',
  })
}

/** Nothing was written that refers to the storage, and nothing shows the secret. */
async function expectNothing({ ok, error = '', process }: BuildResult, endpoint: string): Promise<void> {
  expect(ok).toBe(false)
  expect(error).toMatch(/src\/[ab]\.jpg: .* pictures\/[ab]\.[\da-f]{16}\.jpg\./)
  for (const [file, data] of await readOutput(project!)) {
    expect([file, data.includes(endpoint)]).toEqual([file, false])
  }
  expect(await project!.list('.').then((files) => files.includes('images.json'))).toBe(false)
  expect(await leaks(SECRET, project!, { error, stdout: process.stdout, stderr: process.stderr })).toEqual([])
}

it('says that a storage cannot be reached', async () => {
  const endpoint = await listen(() => undefined)
  await new Promise((resolve) => server!.close(resolve))
  const result = await buildWith(endpoint)
  await expectNothing(result, endpoint)
  expect(result.error).toContain('ECONNREFUSED')
})

it('fails for one of two images, after further tries, with what the storage said', async () => {
  const puts = new Map<string, number>()
  const endpoint = await listen((request, response) => {
    const { method, url = '' } = request
    request.resume()
    if (method === 'HEAD') {
      response.writeHead(404).end()
      return
    }
    puts.set(url, (puts.get(url) ?? 0) + 1)
    if (url.startsWith('/pictures/a.')) response.writeHead(200).end()
    else response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>')
  })
  const result = await buildWith(endpoint)
  await expectNothing(result, endpoint)
  expect(result.error).toEqual(naming('503', 'SlowDown'))
  expect([...puts].toSorted().map(([, times]) => times)).toEqual([1, 3])
})
