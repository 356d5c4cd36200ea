import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { WILDCARD_TYPES } from '@pixpress/core'
import { COMPRESSED_TYPES } from '@pixpress/core/internal'
import { animation, graphic, photo, requireTool, transparentGraphic, naming } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { giveFiles, openPage, startServer } from './page-server.ts'
import type { OpenPage, PageServer } from './page-server.ts'

const KEY = 'only-tests-use-this-key'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><!-- long --><path d="M0 0h9v9z"/></svg>'
const chromium = requireTool('chromium')

let folder: string
const servers: PageServer[] = []
let url: string
let browser: Browser
let opened: OpenPage
let page: Page

const start = async (...given: Parameters<typeof startServer>): Promise<string> => {
  const server = await startServer(
    path.join(folder, given[0]),
    ...(given.slice(1) as [Record<string, string>, RegExp?]),
  )
  servers.push(server)
  return server.url
}

const file = (name: string): string => path.join(folder, name)

const bytesOf = async (name: string, type: string) => ({ name, type, bytes: await readFile(file(name)) })

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-page-'))
  const jpeg = await photo(320, 200).jpeg(97)
  const png = await graphic(240, 160).png()
  await writeFile(file('photo.jpg'), jpeg)
  await writeFile(file('first.png'), await graphic(120, 80).png())
  await writeFile(file('logo.png'), png)
  await writeFile(file('cutout.png'), await transparentGraphic(240, 160).png())
  await writeFile(file('cut.jpg'), jpeg.subarray(0, 2000))
  await writeFile(file('moving.gif'), await animation(40, 30).gif())
  await writeFile(file('drawing.svg'), SVG)
  await writeFile(file('holiday.heic'), Buffer.from('0000001c66747970686569630000000068656963', 'hex'))
  await writeFile(file('notes.txt'), 'No picture at all.')
  url = await start('data', { PIXPRESS_KEYS: KEY })
  browser = await launch(chromium!)
})

afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.process.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const row = (name: string) => opened.row(name)
const done = (name: string) => row(name).getByRole('button', { name: `Compare ${name}` })
const count = async (): Promise<number> => Number.parseInt((await page.textContent('#count')) ?? '', 10)

describe.skipIf(chromium === undefined).sequential('the page of the server', () => {
  it('loads without anything from elsewhere, in less than 60 kB of script', async () => {
    opened = await openPage(browser, 'about:blank')
    page = opened.page
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url())
    })
    await page.goto(url)
    expect(await page.title()).toBe('pixpress')
    expect(foreign).toEqual([])
    const script = path.resolve(import.meta.dirname, '../../packages/server/dist/page/page.js')
    expect((await stat(script)).size).toBeLessThan(60_000)
  })

  it('offers the types of the wildcard, and takes every type that is compressed', async () => {
    const offered = await page
      .locator('select[name=type] option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
    expect(offered).toEqual(['auto', '', ...WILDCARD_TYPES])
    expect(await page.getAttribute('#files', 'accept')).toBe(COMPRESSED_TYPES.join(','))
    expect(await page.textContent('#drop')).toEqual(naming('PNG', 'GIF', 'SVG', '100 MB'))
    expect(await page.textContent('#kept')).toContain('deleted after 48 hours')
  })

  it('asks for a key once one is needed, knows a wrong one, and lets pictures wait for the right one', async () => {
    expect(await page.isVisible('#key')).toBe(false)
    await page.setInputFiles('#files', file('first.png'))
    expect(await page.textContent('#problem')).toContain('1 picture')
    await page.fill('#key', 'wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The server does not know this key.').waitFor()
    await page.fill('#key', KEY)
    await page.keyboard.press('Enter')
    await row('first.png').getByText('120 × 80').waitFor()
    expect(await page.isVisible('#key')).toBe(false)
  })

  it('compares the types of each picture, takes the smallest, and counts each', async () => {
    await page.setInputFiles('#files', [file('photo.jpg'), file('logo.png')])
    await done('photo.jpg').waitFor()
    await done('logo.png').waitFor()
    const picks = row('photo.jpg').locator('.pick')
    const texts = await picks.allInnerTexts()
    expect(texts.map((text) => text.split(/\s/)[0])).toEqual(['JPEG', 'WebP', 'AVIF'])
    const sizes = texts.map(
      (text) => Number.parseFloat(/[\d.]+(?= k?B)/.exec(text)![0]) * (text.includes('kB') ? 1000 : 1),
    )
    const chosen = await row('photo.jpg').locator('.pick:has(:checked)').innerText()
    expect(chosen).toBe(texts[sizes.indexOf(Math.min(...sizes))])
    expect(await row('photo.jpg').locator('.outcome').innerText()).toMatch(/^[\d.]+ kB → [\d.]+ k?B −\d+ %$/)
    expect(await count()).toBe(9)
    expect(await page.textContent('#title')).toMatch(/^[\d.]+ kB saved$/)
    expect(await page.textContent('#sentence')).toMatch(/^[\d.]+ kB became [\d.]+ kB\. 3 pictures are ready\.$/)
  })

  it('lets another type be chosen by keyboard, which the totals follow', async () => {
    const before = await page.textContent('#sentence')
    await row('photo.jpg').locator('.pick input:checked').focus()
    await page.keyboard.press('ArrowRight')
    expect(await row('photo.jpg').locator('.pick:has(:checked)').innerText()).toMatch(/^JPEG/)
    expect(await page.textContent('#sentence')).not.toBe(before)
    expect(await page.evaluate(() => document.activeElement?.closest('.pick') !== null)).toBe(true)
  })

  it('takes what is dropped anywhere and what is pasted, GIF and SVG too', async () => {
    await giveFiles(page, 'drop', [
      await bytesOf('moving.gif', 'image/gif'),
      await bytesOf('drawing.svg', 'image/svg+xml'),
    ])
    await giveFiles(page, 'paste', [{ ...(await bytesOf('logo.png', 'image/png')), name: 'pasted.png' }])
    for (const name of ['moving.gif', 'drawing.svg', 'pasted.png']) await done(name).waitFor()
    const types = (await row('moving.gif').locator('.pick').allInnerTexts()).map((text) => text.split(/\s/)[0])
    expect(types).toEqual(['GIF', 'WebP'])
    expect(await row('drawing.svg').locator('.pick').allInnerTexts()).toEqual([expect.stringMatching(/^SVG/)])
    expect(await row('drawing.svg').locator('.thumbnail img').count()).toBe(1)
  })

  it('gives the type, the size and the quality that are asked for', async () => {
    await page.selectOption('[name=type]', 'image/webp')
    await page.click('#more-title')
    await page.fill('[name=width]', '60')
    await page.fill('[name=height]', '50')
    await page.selectOption('[name=method]', 'cover')
    await page.locator('#quality').fill('0')
    expect(await page.getAttribute('#quality', 'aria-valuetext')).toMatch(/^Small: /)
    await giveFiles(page, 'drop', [{ ...(await bytesOf('logo.png', 'image/png')), name: 'small.png' }])
    await row('small.png').getByText('60 × 50').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row('small.png').getByRole('button', { name: 'Download small.png' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('small.webp')
    expect(await sharp(await readFile(await download.path())).metadata()).toMatchObject({
      format: 'webp',
      width: 60,
      height: 50,
    })
  })

  it('applies other settings to pictures that are there when it is told to', async () => {
    await page.fill('[name=width]', '')
    await page.fill('[name=height]', '')
    expect(await page.textContent('#problem')).toContain('and a height')
    await page.selectOption('[name=method]', 'fit')
    expect(await page.textContent('#problem')).toBe('')
    await page.locator('#quality').fill('2')
    await page.selectOption('[name=type]', '')
    await page.getByRole('button', { name: 'Apply settings to 7 pictures' }).click()
    await row('small.png').getByText('240 × 160').waitFor()
    await expect.poll(() => page.isVisible('#apply')).toBe(false)
    expect(await row('photo.jpg').locator('.pick').allInnerTexts()).toEqual([expect.stringMatching(/^JPEG/)])
  })

  it('says in plain words what is wrong with a file, and offers no other try where none can help', async () => {
    await page.setInputFiles('#files', ['cut.jpg', 'holiday.heic', 'notes.txt'].map(file))
    const says = {
      'cut.jpg': 'The end of this file is missing. Copy or export it again, then drop it here.',
      'holiday.heic': 'HEIC pictures cannot be read. Export it as JPEG or PNG, then drop it here.',
      'notes.txt': 'This is no picture that can be read. Export it as JPEG or PNG, then drop it here.',
    }
    for (const [name, sentence] of Object.entries(says)) {
      expect(await row(name).locator('.refusal').innerText()).toBe(sentence)
      expect(await row(name).getByRole('button').allInnerTexts()).toEqual(['Remove'])
    }
    for (const name of Object.keys(says))
      await row(name)
        .getByRole('button', { name: `Remove ${name}` })
        .click()
    expect(await page.locator('.refusal').count()).toBe(0)
  })

  it('lets a transparent picture become a JPEG once it has a background', async () => {
    await page.selectOption('[name=type]', 'image/jpeg')
    await page.setInputFiles('#files', file('cutout.png'))
    await row('cutout.png').getByText('This type has no transparency.').waitFor()
    await page.selectOption('[name=background]', 'white')
    await row('cutout.png').getByRole('button', { name: 'Try again cutout.png' }).click()
    await row('cutout.png').getByText('240 × 160').waitFor()
  })

  it('shows how far an upload is, and goes on after a connection that broke off', async () => {
    await page.selectOption('[name=type]', '')
    await page.selectOption('[name=background]', '')
    await page.route('**/shrink*', (route) => route.abort('connectionreset'))
    await giveFiles(page, 'drop', [{ ...(await bytesOf('photo.jpg', 'image/jpeg')), name: 'again.jpg' }])
    await row('again.jpg').getByText('The connection broke off. The picture is still here.').waitFor()
    await page.unroute('**/shrink*')
    const gate = new EventTarget()
    const held = new Promise((resolve) => gate.addEventListener('open', resolve))
    await page.route('**/output/*', async (route) => {
      await held
      await route.continue()
    })
    await row('again.jpg').getByRole('button', { name: 'Try again again.jpg' }).click()
    await row('again.jpg').getByText('Compressing').waitFor()
    const progress = row('again.jpg').getByRole('progressbar', { name: 'again.jpg' })
    expect(await progress.evaluate((bar) => (bar as HTMLProgressElement).value)).toBeGreaterThan(0.3)
    expect(await row('again.jpg').getByRole('button').allInnerTexts()).toEqual(['Cancel'])
    gate.dispatchEvent(new Event('open'))
    await done('again.jpg').waitFor()
    await page.unroute('**/output/*')
  })

  it('uploads a picture anew that the server has deleted, when it is told to', async () => {
    let uploads = 0
    await page.route('**/shrink*', (route) => {
      uploads++
      return route.continue()
    })
    const gone = { error: 'NotFound', message: 'This output does not exist, or it has expired.' }
    await page.route('**/output/*', (route) => route.fulfill({ status: 404, json: gone }))
    await giveFiles(page, 'drop', [{ ...(await bytesOf('first.png', 'image/png')), name: 'gone.png' }])
    await row('gone.png').getByText('The server has deleted this picture. It is still here.').waitFor()
    await page.unroute('**/output/*')
    await row('gone.png').getByRole('button', { name: 'Try again gone.png' }).click()
    await done('gone.png').waitFor()
    await page.unroute('**/shrink*')
    expect(uploads).toBe(2)
  })

  it('stops a picture that is cancelled, and goes on with the others', async () => {
    await page.route('**/shrink*', () => {
      // It is never answered.
    })
    await giveFiles(page, 'drop', [{ ...(await bytesOf('first.png', 'image/png')), name: 'stopped.png' }])
    const lost = page.waitForEvent('requestfailed')
    await row('stopped.png').getByRole('button', { name: 'Cancel stopped.png' }).click()
    await lost
    expect(await page.getByText('stopped.png').count()).toBe(0)
    expect(await page.textContent('#sentence')).toMatch(/pictures are ready\.$/)
    await page.unroute('**/shrink*')
  })

  it('uploads a few of many at once', async () => {
    let running = 0
    let most = 0
    await page.route('**/shrink*', async (route) => {
      most = Math.max(most, ++running)
      const answer = await route.fetch()
      running--
      await route.fulfill({ response: answer })
    })
    const { bytes } = await bytesOf('first.png', 'image/png')
    const many = Array.from({ length: 9 }, (_, at) => ({ name: `many-${at}.png`, type: 'image/png', bytes }))
    await giveFiles(page, 'drop', many)
    for (const { name } of many) await done(name).waitFor()
    await page.unroute('**/shrink*')
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  it('is reached by the Tab key from one end to the other', async () => {
    const reached = new Set<string>()
    await page.focus('#quality')
    for (let step = 0; step < 90; step++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || ''))
    }
    for (const part of ['add', 'download-all', 'Compare', 'Download']) expect([...reached]).toContain(part)
  })

  it('saves everything in one archive, equal names told apart', async () => {
    await giveFiles(page, 'drop', [await bytesOf('logo.png', 'image/png')])
    await expect.poll(() => page.textContent('#download-all')).toMatch(/^Download all 20 \(zip, /)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download-all')])
    expect(download.suggestedFilename()).toBe('pixpress.zip')
    const names = storedNames(await readFile(await download.path()))
    expect(names).toHaveLength(20)
    expect(names.slice(0, 9)).toEqual([
      'first.png',
      'photo.jpg',
      'logo.png',
      'moving.gif',
      'drawing.svg',
      'pasted.png',
      'small.png',
      'cutout.jpg',
      'again.jpg',
    ])
    expect(names.at(-1)).toBe('logo (2).png')
  })

  it('never kept the key, and no script failed', async () => {
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).toBe('[{},{},""]')
    expect(opened.problems).toEqual([])
    await opened.close()
  })
})

describe.skipIf(chromium === undefined)('the page of the server, elsewhere', () => {
  it('takes the key of the URL that a server prints on the loopback address, and asks for none', async () => {
    const printed = await start('own', {}, /^Page on (\S+)$/m)
    const visited = await openPage(browser, printed)
    await visited.page.setInputFiles('#files', file('first.png'))
    await visited.row('first.png').getByText('120 × 80').waitFor()
    expect(visited.page.url()).toBe(printed.replace(/#.*/, ''))
    expect(await visited.page.textContent('#more-title')).toBe('Crop, background')
    await visited.page.click('#more-title')
    expect(await visited.page.isVisible('#key')).toBe(false)
    await visited.close()
  })

  it('says how large a file may be before it is sent', async () => {
    const printed = await start('small', { PIXPRESS_MAX_BYTES: '10kB' }, /^Page on (\S+)$/m)
    const visited = await openPage(browser, printed)
    const requests: string[] = []
    visited.page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await visited.page.waitForFunction(() => document.querySelector('#count')!.textContent !== '')
    requests.length = 0
    await visited.page.setInputFiles('#files', {
      name: 'large.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.alloc(10_001),
    })
    expect(await visited.row('large.jpg').locator('.refusal').innerText()).toContain('10.0 kB')
    expect(requests).toEqual([])
    await visited.close()
  })

  it('works below a public URL with a path, which a proxy takes off', async () => {
    const requests: string[] = []
    let behind = ''
    const proxy = http.createServer((request, response) => {
      requests.push(request.url!)
      const target = request.url!.replace(/^\/images\//, '/')
      if (target === request.url) return void response.writeHead(404).end()
      const { method, headers } = request
      const onward = http.request(new URL(target, behind), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    try {
      const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/images`
      behind = await start('behind', { PIXPRESS_KEYS: KEY, PIXPRESS_PUBLIC_URL: publicUrl })
      // Through the proxy, and past it.
      for (const from of [`${publicUrl}/`, behind]) {
        const visited = await openPage(browser, from)
        await visited.page.setInputFiles('#files', file('first.png'))
        await visited.page.fill('#key', KEY)
        await visited.page.keyboard.press('Enter')
        await visited.row('first.png').getByText('120 × 80').waitFor()
        await visited.close()
      }
      expect(requests.every((each) => each.startsWith('/images/') || each === '/favicon.ico')).toBe(true)
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

/** The names of a ZIP archive's central directory (APPNOTE.TXT 4.3.12). */
function storedNames(archive: Buffer): string[] {
  const names: string[] = []
  for (let at = archive.indexOf('PK\u0001\u0002'); at !== -1; at = archive.indexOf('PK\u0001\u0002', at + 46)) {
    names.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)))
  }
  return names
}
