import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PACKAGES, config } from './farm.ts'

interface Answer {
  status: number
  type: string | null
  etag: string | null
  length: number
  again: number
  head: string | null
}

interface Outcome {
  encodedAtStart: number
  page: string
  answers: Record<string, Answer>
  script: string
  inspector: readonly unknown[]
  inspected: readonly { file: string; asked: string; references: string[] }[]
  made: string
  changed?: string
}

/** Starts the dev server, asks for the page and the given paths, and changes an image if asked to. */
const SCRIPT = (serverConfig: string): string => `
  import { existsSync, readdirSync, renameSync } from 'node:fs'
  import http from 'node:http'
  import { start } from '@farmfe/core'
  import pixpress from 'unplugin-pixpress/farm'
  const port = await new Promise((resolve) => {
    const probe = http.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
  const { change } = JSON.parse(process.argv[2])
  await start({ ...${serverConfig}, server: { port, host: '127.0.0.1', strictPort: true, open: false, hmr: { port } } })
  const entries = () => existsSync('.cache/pixpress')
    ? readdirSync('.cache/pixpress', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== '.gitignore').length
    : 0
  const outcome = { encodedAtStart: entries(), answers: {} }
  const ask = (path, init) => fetch('http://127.0.0.1:' + port + path, init)
  const textOf = async (path) => (await ask(path)).text()
  const scripts = async () => {
    const listing = await textOf('/_output_files')
    const names = [...listing.matchAll(/href="([^"]+\\.js)"/g)].map((match) => match[1])
    return (await Promise.all(names.map((name) => textOf('/' + name)))).join('\\n')
  }
  outcome.page = await textOf('/')
  outcome.script = await scripts()
  const urls = new Set((outcome.page + outcome.script).match(/(?<=["' ])\\/[\\w./-]+\\.(?:png|webp)(?:\\?v=[\\da-f]+)?/g))
  for (const url of urls) {
    const response = await ask(url)
    const { status, headers } = response
    const length = (await response.arrayBuffer()).byteLength
    const etag = headers.get('etag')
    const again = etag === null ? 0 : (await ask(url, { headers: { 'if-none-match': etag } })).status
    const head = (await ask(url, { method: 'HEAD' })).headers.get('content-length')
    outcome.answers[url] = { status, type: headers.get('content-type'), etag, length, again, head }
  }
  const inspector = await ask('/__pixpress/')
  outcome.inspector = [inspector.status, inspector.headers.get('content-type'), (await inspector.text()).length > 1000]
  outcome.inspected = await (await ask('/__pixpress/images.json')).json()
  outcome.made = await (await ask('/__pixpress/image/' + outcome.inspected[0].id)).headers.get('content-type')
  if (change) {
    renameSync(change.from, change.to)
    const until = Date.now() + 120_000
    do {
      await new Promise((resolve) => setTimeout(resolve, 100))
      outcome.changed = await scripts()
    } while (outcome.changed === outcome.script && Date.now() < until)
  }
  console.log('\\n' + JSON.stringify(outcome))
  process.exit(0)
`

let project: Project

beforeEach(async () => {
  project = await createProject('farm-dev', {
    packages: PACKAGES,
    files: {
      'index.html': `<!doctype html><html><head></head><body><img id="page" src="./src/page.png" alt=""><img src="/public.png" alt="">
<script type="module" src="./src/main.js"></script></body></html>`,
      'src/main.js': `import module from './module.png'; import list from './module.png?w=20;40&as=srcset'; console.log(module, list)`,
      'src/page.png': await photo(120, 90).png(),
      'src/module.png': await photo(110, 80, 3).png(),
      'changed/module.png': await photo(110, 80, 4).png(),
      'public/public.png': await photo(90, 60, 5).png(),
    },
  })
})

afterEach(() => project.dispose())

async function serve(
  compilation: string,
  change?: { from: string; to: string },
  convert = `{ type: 'image/webp' }`,
): Promise<Outcome> {
  const script = SCRIPT(config({ compilation, options: `{ convert: ${convert}, report: false }` }))
  const { code, stdout, stderr } = await project.run(script, { args: [JSON.stringify({ change })], timeout: 180_000 })
  if (code !== 0) throw new Error(`The server ended with code ${code}:\n${stdout}\n${stderr}`)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Outcome
}

const versions = (text: string): string[] => [...new Set(text.match(/\?v=[\da-f]+/g))].sort()

describe('the dev server', () => {
  it('encodes on request, with validators, and goes on doing so from the cache of Farm', async () => {
    const compilation = '{ persistentCache: true }'
    const cold = await serve(compilation)
    expect(cold.encodedAtStart).toBe(0)
    const { '/public.png': copied, ...converted } = cold.answers
    expect(copied).toMatchObject({ status: 200, type: 'image/png', again: 304 })
    expect(copied!.length).toBeLessThan((await project.read('public/public.png')).length)
    expect(Object.keys(converted)).toHaveLength(4)
    for (const [url, answer] of Object.entries(converted)) {
      expect([url, answer]).toEqual([url, expect.objectContaining({ status: 200, type: 'image/webp', again: 304 })])
      expect(Number(answer.head)).toBe(answer.length)
    }
    const warm = await serve(compilation)
    expect(warm.answers).toEqual(cold.answers)
  })

  it('has the inspector, which says where each image is used', async () => {
    const { inspector, inspected, made } = await serve('{ persistentCache: false }')
    expect(inspector).toEqual([200, 'text/html; charset=utf-8', true])
    expect(made).toMatch(/^image\//)
    const places = new Map(inspected.map(({ file, asked, references }) => [`${file} ${asked}`.trim(), references]))
    expect(places.get('src/page.png')).toEqual(['index.html'])
    expect(places.get('src/module.png')).toEqual(['src/main.js'])
    expect(places.get('src/module.png w=20')).toEqual(['src/main.js'])
  })

  it('takes up an image that changes', async () => {
    const change = { from: 'changed/module.png', to: 'src/module.png' }
    const { script, changed } = await serve('{ persistentCache: false }', change)
    expect(versions(script)).toHaveLength(3)
    expect(versions(changed!).filter((version) => versions(script).includes(version))).toEqual([])
  })

  it('shows images in their own type where builds offer several', async () => {
    const { page, answers } = await serve('{ persistentCache: false }', undefined, `'auto'`)
    expect(page).not.toContain('<picture')
    expect(Object.values(answers).map(({ type }) => type)).toEqual(Object.keys(answers).map(() => 'image/png'))
  })
})
