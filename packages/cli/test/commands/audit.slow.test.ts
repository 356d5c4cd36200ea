import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import { findChromium, photo, naming } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import type { AuditFinding } from '../../../audit/src/findings/findings.ts'
import { KIND_NAMES } from '../../../audit/src/findings/kinds.ts'
import { useFolder } from '../command-line.ts'
import { CLEAN, FAR, PLANTED, dataUrl, first, page, siteImages } from './planted-site.ts'

const folder = useFolder()
const browser = findChromium()
const env = { CHROME_PATH: browser ?? '', PATH: process.env['PATH'] ?? '' }
const isSkipped = browser === undefined && process.env['CI'] !== 'true'

const audit = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['audit', ...args], { env })

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** The URL of a server on this machine. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Folders of browsers. */
const leftovers = async (): Promise<string[]> =>
  (await readdir(os.tmpdir())).filter((name) => name.startsWith('pixpress-audit-')).sort()

interface Data {
  readonly findings: readonly (AuditFinding & { readonly source?: string })[]
  readonly pages: readonly string[]
  readonly refused: readonly string[]
  readonly widths: Readonly<Record<string, readonly number[]>>
}

async function found(...args: string[]): Promise<Data> {
  const { stdout, stderr } = await audit(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Data
}

describe.skipIf(isSkipped)('pixpress audit', () => {
  it('finds each of 27 planted faults on its page, and nothing else', async () => {
    const data = await dataUrl()
    const pages = PLANTED.map(({ name, html }) => [`dist/${name}`, html.replace('DATA', data)])
    const images = Object.entries(await siteImages()).map(([name, bytes]) => [`dist/${name}`, bytes])
    await folder.write(Object.fromEntries([...pages, ...images]) as Record<string, Buffer | string>)
    const { findings } = await found('dist', '--viewports', '390@2,1280')
    const byPage = Object.fromEntries(
      PLANTED.map(({ name }) => [
        name,
        findings.filter((each) => each.pages.includes(`/${name}`)).map(({ kind }) => kind),
      ]),
    )
    expect(byPage).toEqual(Object.fromEntries(PLANTED.map(({ name, kind }) => [name, [kind]])))
    expect(new Set(PLANTED.map(({ kind }) => kind))).toEqual(new Set(KIND_NAMES))
  })

  it('finds nothing on a site that does everything right', async () => {
    const images = Object.entries(await siteImages()).map(([name, bytes]) => [`dist/${name}`, bytes])
    const pages = Object.entries(CLEAN).map(([name, html]) => [`dist/${name}`, html])
    await folder.write(Object.fromEntries([...pages, ...images]) as Record<string, Buffer | string>)
    const { findings, pages: seen } = await found('dist')
    expect(findings).toEqual([])
    expect(seen).toEqual(['/deep/about.html', '/'])
  })

  it.each(['{{ .Permalink }}', '<%= logo %>', '${icon}'])('knows a template by a URL such as %s', async (src) => {
    await folder.write({
      'dist/index.html': page(`<img alt="" width="3" height="2" fetchpriority="high" src="${src}">`),
    })
    const { findings } = await found('dist', '--viewports', '1280')
    expect(findings.map(({ kind, fix }) => [kind, fix])).toEqual([['broken', expect.stringContaining('is a template')]])
  })

  it('follows links of a URL, counts pages, and asks nothing of other machines', async () => {
    const asked: string[] = []
    const at = await serve(({ url = '' }, response) => {
      asked.push(url)
      const pages: Record<string, string> = {
        '/': '<h1>One</h1><a href="/two">2</a><a href="/two#part">2</a><a href="/a.pdf">a file</a><a href="http://example.com/">x</a>',
        '/two':
          '<h1>Two</h1><a href="/three">3</a><img alt="" width="9" height="9" src="http://example.com/a.png"><img alt="" width="9" height="9" src="http://127.1.2.3:1/a.png">',
        '/three': '<h1>Three</h1>',
      }
      response.setHeader('content-type', 'text/html')
      response.end(page(pages[url] ?? ''))
    })
    const all = await found(at, '--viewports', '390')
    expect(all.pages).toEqual(['/', '/two', '/three'])
    expect(all.refused).toEqual(['http://example.com/a.png'])
    expect(asked.filter((url) => url !== '/favicon.ico')).toEqual(['/', '/two', '/three'])
    expect((await found(at, '--viewports', '390', '--pages', '2')).pages).toEqual(['/', '/two'])
  })

  it.skipIf(process.platform !== 'linux')('lets no worker of a page reach another host either', async () => {
    const asked: string[] = []
    const other = createServer(({ url = '' }, response) => {
      asked.push(url)
      response.setHeader('access-control-allow-origin', '*').end('x')
    })
    servers.push(other)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve))
    const { port } = other.address() as AddressInfo
    const work = `fetch('http://127.0.0.2:${port}/worker').then(() => postMessage(1), () => postMessage(0))`
    await folder.write({
      'dist/worker.js': work,
      'dist/index.html': page(
        `<h1>Words</h1><script>new Worker('/worker.js').onmessage = () => { new Image().src = '/done.svg' }</script>`,
      ),
      'dist/done.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
    expect((await found('dist', '--viewports', '390')).findings).toEqual([])
    expect(asked).toEqual([])
  })

  it('writes the widths that are drawn for w=auto, and into the one query that says others', async () => {
    await folder.write({
      'package.json': '{ "devDependencies": { "unplugin-pixpress": "*" } }',
      'src/hero.jpg': await photo(1600, 900, 1).jpeg(70),
      'src/main.js': "import hero from './hero.jpg?w=1600&as=picture'\n",
      'dist/hero-Bx3k9a2Q.webp': await photo(1600, 900, 1).webp(70),
      'dist/index.html': page(
        '<img alt="A photo" width="1600" height="900" fetchpriority="high" src="/hero-Bx3k9a2Q.webp" style="width: 100%; max-width: 640px; height: auto">',
      ),
    })
    const shown = await audit('dist', '--viewports', '400@2,1280')
    expect(shown.code).toBe(3)
    const line = "write import hero from './hero.jpg?w=640;800&as=picture'"
    expect(shown.stdout).toEqual(naming('1 page', '2 viewports', '1 image', '1 finding'))
    expect(shown.stdout).toEqual(naming('src/hero.jpg', '/hero-Bx3k9a2Q.webp'))
    expect(shown.stdout).toEqual(
      naming(`src/main.js:1 ${line}\n`, '640', '800 pixels', '"(max-width: 400px) 100vw, 640px"'),
    )
    expect(shown.stdout).toEqual(naming("'--write'", `\n  src/main.js:1  ${line}\n`))
    expect(await folder.files()).toHaveLength(4)
    const dry = await audit('dist', '--viewports', '400@2,1280', '--write', '--dry-run')
    expect(dry.stdout).toContain('Would be written:')
    expect(await folder.files()).toHaveLength(4)
    const { stdout } = await audit('dist', '--viewports', '400@2,1280', '--write')
    expect(stdout).toContain(`Written:\n  src/main.js:1  ${line}\n  pixpress.audit.json  widths of 1 image, for w=auto`)
    expect((await folder.read('src/main.js')).toString()).toBe("import hero from './hero.jpg?w=640;800&as=picture'\n")
    expect(JSON.parse((await folder.read('pixpress.audit.json')).toString())).toEqual({
      version: 1,
      images: { 'src/hero.jpg': { widths: [640, 800] } },
    })
  })

  it('mends the places of equal files where each is shown, and attributes of one page alone', async () => {
    const bytes = await photo(1200, 800, 1).jpeg(70)
    const own = first('src="/photo-Bx3k9a2Q.jpg"')
    await folder.write({
      'package.json': '{ "devDependencies": { "unplugin-pixpress": "*" } }',
      'img/photo.jpg': bytes,
      'img/deep/same.jpg': bytes,
      'index.html': page(first('src="img/photo.jpg"')),
      'two.html': page(`<h1>Two</h1>${FAR}${first('src="img/deep/same.jpg"').replace('fetchpriority="high" ', '')}`),
      'dist/photo-Bx3k9a2Q.jpg': bytes,
      'dist/index.html': page(own),
      'dist/two.html': page(`<h1>Two</h1>${FAR}${own.replace('fetchpriority="high" ', '')}`),
    })
    await audit('dist', '--viewports', '1280', '--write')
    const read = async (file: string): Promise<string> => (await folder.read(file)).toString()
    expect(await read('index.html')).toContain('src="img/photo.jpg?w=600&amp;format=webp">')
    expect(await read('two.html')).toContain('src="img/deep/same.jpg?w=600&amp;format=webp" loading="lazy">')
  })

  it('gives no advice that nothing would read where the build has no pixpress, and says so', async () => {
    await folder.write({
      'src/hero.jpg': await photo(1600, 900, 1).jpeg(70),
      'index.html': '<img src="./src/hero.jpg">',
      'dist/hero-Bx3k9a2Q.jpg': await photo(1600, 900, 1).jpeg(70),
      'dist/index.html': page(first('src="/hero-Bx3k9a2Q.jpg"')),
    })
    const { stdout } = await audit('dist', '--viewports', '1280', '--write')
    expect(stdout).toContain('has no pixpress')
    expect(stdout).not.toMatch(/\?(?:w|format)=/)
    expect((await folder.read('index.html')).toString()).toBe('<img src="./src/hero.jpg">')
  })

  it('counts an image once, whatever is wrong with it and on however many pages', async () => {
    const image = first('src="/w1200.png"')
    await folder.write({
      'dist/index.html': page(image),
      'dist/two.html': page(first('src="/w1200.png" class="other"')),
      'dist/w1200.png': await photo(1200, 800, 1).png(),
    })
    const { stdout } = await audit('dist', '--viewports', '1280', '--json')
    const { findings, totals } = JSON.parse(stdout) as Data & { totals: Record<string, number> }
    const oversize = findings.filter(({ kind }) => kind === 'oversize')
    expect(oversize.map(({ pages, elements }) => [pages, elements?.length])).toEqual([[['/', '/two.html'], 2]])
    expect(totals['images']).toBe(1)
    expect(totals['wasted']).toBe(Math.max(...findings.map(({ wasted }) => wasted)))
  })

  it('counts what two URLs load twice', async () => {
    const bytes = await photo(300, 200, 1).webp(80)
    await folder.write({
      'dist/index.html': page(`${first('src="/a.webp"')}<img alt="Again" width="300" height="200" src="/b.webp">`),
      'dist/a.webp': bytes,
      'dist/b.webp': bytes,
    })
    const { stdout } = await audit('dist', '--viewports', '1280', '--json')
    const { findings, totals } = JSON.parse(stdout) as Data & { totals: Record<string, number> }
    expect(findings.map(({ kind }) => kind)).toEqual(['duplicate-bytes'])
    expect(totals).toEqual({ images: 2, bytes: 2 * bytes.length, wasted: bytes.length })
  })

  it('names the style that distorts an image', async () => {
    const styles = ['width: 300px; aspect-ratio: 1', 'width: 300px; height: 300px']
    const fixes: unknown[] = []
    for (const style of styles) {
      await folder.write({
        'dist/index.html': page(`<img alt="A photo" src="/a.webp" style="${style}">`),
        'dist/a.webp': await photo(300, 200, 1).webp(80),
      })
      const { stdout } = await audit('dist', '--viewports', '1280', '--json')
      const { findings } = JSON.parse(stdout) as { findings: readonly { kind: string; fix: string }[] }
      fixes.push(findings.find(({ kind }) => kind === 'distorted')?.fix)
    }
    expect(fixes).toEqual([naming('300', '200'), expect.stringContaining('or height: auto')])
  })

  it('tells what a larger source alone would mend last', async () => {
    await folder.write({
      'dist/index.html': page(`${first('src="/w150.png"')}<img width="9" height="6" src="/w9.webp">`),
      'dist/w150.png': await photo(150, 100, 1).png(),
      'dist/w9.webp': await photo(18, 12, 1).webp(80),
    })
    const { findings } = await found('dist', '--viewports', '1280')
    expect(findings.map(({ kind }) => kind).at(-1)).toBe('upscaled')
    expect(findings.map(({ kind }) => kind)).toContain('missing-alt')
  })

  it('serves a folder below its base, and names a page that does not load', async () => {
    await folder.write({
      'dist/index.html': page('<h1>Words</h1><img alt="" width="100" height="67" src="/docs/w100.webp">'),
      'dist/w100.webp': await photo(150, 100, 1).webp(80),
    })
    expect(await audit('dist', '--base', 'docs', '--viewports', '390')).toMatchObject({
      code: 0,
      stdout: 'pixpress  1 page in 1 viewport: nothing found\n',
    })
    expect((await found('dist', '--viewports', '390')).findings.map(({ kind }) => kind)).toEqual(['broken'])
    const at = await serve((_, response) => response.writeHead(500).end('no'))
    expect(await audit(at, '--viewports', '390')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('500'),
    })
  })

  it('leaves no browser and no folder behind, however it ends', async () => {
    await folder.write({ 'dist/index.html': page('<h1>Words</h1>') })
    const before = await leftovers()
    await audit('dist', '--viewports', '390')
    const controller = new AbortController()
    const stopped = folder.run(['audit', 'dist'], { env, signal: controller.signal })
    while ((await leftovers()).length === before.length) await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort('SIGINT')
    expect((await stopped).code).toBe(130)
    expect(await leftovers()).toEqual(before)
    // A killed process stays in the list until the system has seen to it.
    await expect.poll(() => browsersBesides(before), { timeout: 10_000 }).toEqual([])
  })
})

/** Chromiums of audits that run, besides those of some folders. */
function browsersBesides(folders: readonly string[]): string[] {
  const processes = process.platform === 'linux' ? execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }) : ''
  return processes
    .split('\n')
    .filter((line) => line.includes('user-data-dir=') && line.includes('pixpress-audit-'))
    .filter((line) => !folders.some((name) => line.includes(name)))
}

describe('the arguments of pixpress audit', () => {
  it.each([
    [[], 'Expected one folder, or one URL of this machine'],
    [
      ['https://example.com'],
      "Expected a folder, or a URL of this machine such as http://localhost:4173, but received 'https://example.com'.",
    ],
    [['file:///etc'], 'Expected a folder, or a URL of this machine'],
    [['.', '--viewports', 'wide'], "for '--viewports' but received 'wide'"],
    [['.', '--sources', 'nowhere'], "'nowhere' of '--sources' is no folder."],
    [['.', '--dry-run'], '--dry-run is for --write.'],
    [['.'], 'has no page: build the site first, or give the folder that its .html files are in.'],
  ])('%j are refused', async (args, message) => {
    const { code, stderr } = await audit(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('says what to do where there is no browser', async () => {
    await folder.write({ 'dist/index.html': page('') })
    const none = await folder.run(['audit', 'dist'], { env: { CHROME_PATH: '/no/browser' } })
    const stderr = "pixpress: CHROME_PATH is no program: '/no/browser'. Set it to that of Chromium, Chrome or Edge.\n"
    expect(none).toMatchObject({ code: 2, stderr })
    const wrong = await folder.run(['audit', 'dist'], { env: { CHROME_PATH: process.execPath } })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(`'${process.execPath}'`)
  })
})
