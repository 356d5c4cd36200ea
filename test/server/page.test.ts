import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { IMAGE_TYPES, WILDCARD_TYPES } from '@pixpress/core'
import { graphic, photo, requireTool, serverNode, transparentGraphic } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'

const KEY = 'only-tests-use-this-key'
const chromium = requireTool('chromium')

let folder: string
const servers: ChildProcess[] = []
let url: string
let browser: Browser
let page: Page
const problems: string[] = []

/** The built command, as `npx pixpress serve` runs it. */
async function startServer(data: string, more: Record<string, string>, line = /^Serving on (\S+)$/m): Promise<string> {
  const command = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')
  const server = spawn(
    serverNode(),
    [command, 'serve', '--port', '0', '--data', path.join(folder, data), '--metrics-port', 'none'],
    { env: { ...process.env, ...more }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  servers.push(server)
  let seen = ''
  for await (const piece of server.stderr!) {
    seen += String(piece)
    const address = line.exec(seen)
    if (address !== null) {
      server.stderr!.resume()
      return address[1]!
    }
  }
  throw new Error(`The server did not start: ${seen}`)
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-page-'))
  await writeFile(path.join(folder, 'photo.jpg'), await photo(320, 200).jpeg(97))
  await writeFile(path.join(folder, 'first.png'), await graphic(120, 80).png())
  await writeFile(path.join(folder, 'logo.png'), await graphic(240, 160).png())
  await writeFile(path.join(folder, 'cutout.png'), await transparentGraphic(240, 160).png())
  await writeFile(path.join(folder, 'broken.png'), (await graphic(240, 160).png()).subarray(0, 200))
  url = await startServer('data', { PIXPRESS_KEYS: KEY })
  browser = await launch(chromium!)
})

afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const row = (name: string) => page.locator('#results li', { hasText: name }).last()
const count = async (): Promise<number> => Number.parseInt((await page.textContent('#count')) ?? '', 10)

describe.skipIf(chromium === undefined).sequential('the page of the server', () => {
  it('loads without anything from elsewhere', async () => {
    page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // The page shows a refusal of the server; the browser also logs it to its console.
      if (message.type() === 'error' && !message.text().includes('status of 4')) problems.push(message.text())
    })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url())
    })
    await page.goto(url)
    expect(await page.title()).toBe('pixpress')
    expect(foreign).toEqual([])
  })

  it('offers the types of the wildcard, and takes every type that the engine writes', async () => {
    const offered = await page
      .locator('select[name=type] option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
    expect(offered).toEqual(['', '*/*', ...WILDCARD_TYPES])
    expect(await page.getAttribute('#files', 'accept')).toBe(IMAGE_TYPES.join(','))
    expect(await page.textContent('#drop')).toContain('AVIF, WebP, JPEG and PNG')
  })

  it('asks for a key, knows a wrong one, and lets an image that was chosen before wait for the right one', async () => {
    await page.setInputFiles('#files', path.join(folder, 'first.png'))
    expect(await page.textContent('#account-message')).toBe('Enter your API key: 1 image waits for it.')
    await page.fill('#key', 'wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The server does not know this key.').waitFor()
    await page.fill('#key', KEY)
    await page.keyboard.press('Enter')
    await row('first.png').getByText('120 × 80').waitFor()
    expect(await count()).toBe(1)
  })

  it('compresses what is chosen, and counts it', async () => {
    await page.setInputFiles('#files', [path.join(folder, 'photo.jpg'), path.join(folder, 'logo.png')])
    await row('photo.jpg').getByText('320 × 200').waitFor()
    await row('logo.png').getByText('240 × 160').waitFor()
    expect(await row('photo.jpg').locator('.state').textContent()).toMatch(
      /^[\d.]+ k?B → [\d.]+ k?B {2}−\d+ %, 320 × 200$/,
    )
    expect(await count()).toBe(3)
    expect(await page.textContent('#totals')).toMatch(/^3 images, .* → .* {2}−\d+ %$/)
  })

  it('takes what is dropped', async () => {
    const bytes = [...(await readFile(path.join(folder, 'logo.png')))]
    const transfer = await page.evaluateHandle((data) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([new Uint8Array(data)], 'dropped.png', { type: 'image/png' }))
      return dropped
    }, bytes)
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer })
    await row('dropped.png').getByText('240 × 160').waitFor()
    expect(await count()).toBe(4)
  })

  it('gives the type and the size that are asked for', async () => {
    await page.selectOption('[name=type]', 'image/webp')
    await page.selectOption('[name=method]', 'cover')
    await page.fill('[name=width]', '60')
    await page.fill('[name=height]', '50')
    await page.setInputFiles('#files', path.join(folder, 'logo.png'))
    await row('logo.png').getByText('60 × 50').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), row('logo.png').locator('.download').click()])
    expect(download.suggestedFilename()).toBe('logo.webp')
    const saved = await readFile(await download.path())
    expect(await sharp(saved).metadata()).toMatchObject({ format: 'webp', width: 60, height: 50 })
    expect(await count()).toBe(7)
  })

  it('says what is wrong with an image or an option, and tries again', async () => {
    await page.setInputFiles('#files', path.join(folder, 'broken.png'))
    await row('broken.png').locator('.state.bad').waitFor()
    await page.fill('[name=height]', '')
    await page.setInputFiles('#files', path.join(folder, 'cutout.png'))
    await row('cutout.png').getByText('This size takes a width and a height.').waitFor()
    await page.selectOption('[name=method]', '')
    await page.selectOption('[name=type]', 'image/jpeg')
    await row('cutout.png').getByRole('button', { name: 'Try cutout.png again' }).click()
    await row('cutout.png')
      .getByText(/background/)
      .waitFor()
    await page.check('[name=fill]')
    await row('cutout.png').getByRole('button', { name: 'Try cutout.png again' }).click()
    await row('cutout.png').getByText('240 × 160').waitFor()
  })

  it('compares by keyboard', async () => {
    const button = row('photo.jpg').getByRole('button', { name: 'Compare photo.jpg' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const widths = await page.$$eval('#compare img', async (images) => {
      await Promise.all((images as HTMLImageElement[]).map((image) => image.decode()))
      return (images as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth)
    })
    expect(widths).toEqual([320, 320])
    const split = (): Promise<string> =>
      page.$eval('.stage', (stage) => (stage as HTMLElement).style.getPropertyValue('--split'))
    expect(await split()).toBe('50%')
    await page.keyboard.press('End')
    expect(await split()).toBe('100%')
    await page.keyboard.press('Home')
    expect(await split()).toBe('0%')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('is reached by the Tab key from one end to the other', async () => {
    const reached = new Set<string>()
    await page.focus('#key')
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.className || ''))
    }
    for (const part of ['files', 'download', 'compare', 'download-all']) expect([...reached]).toContain(part)
  })

  it('saves everything in one archive, equal names told apart', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download-all')])
    expect(download.suggestedFilename()).toBe('pixpress.zip')
    const archive = await readFile(await download.path())
    expect(storedNames(archive)).toEqual([
      'first.png',
      'photo.jpg',
      'logo.png',
      'dropped.png',
      'logo.webp',
      'cutout.jpg',
    ])
  })

  it('never kept the key, and no script failed', async () => {
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).toBe('[{},{},""]')
    expect(problems).toEqual([])
  })
})

describe.skipIf(chromium === undefined)('the page of the server, elsewhere', () => {
  it('takes the key of the URL that a server prints on the loopback address, and shows it no longer', async () => {
    const printed = await startServer('own', {}, /^Page on (\S+)$/m)
    const visited = await browser.newPage()
    await visited.goto(printed)
    await visited.setInputFiles('#files', path.join(folder, 'first.png'))
    await visited.locator('#results li').getByText('120 × 80').waitFor()
    expect(visited.url()).toBe(printed.replace(/#.*/, ''))
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
      behind = await startServer('behind', { PIXPRESS_KEYS: KEY, PIXPRESS_PUBLIC_URL: publicUrl })
      // Through the proxy, and past it.
      for (const from of [`${publicUrl}/`, behind]) {
        const visited = await browser.newPage()
        await visited.goto(from)
        await visited.fill('#key', KEY)
        await visited.keyboard.press('Enter')
        await visited.setInputFiles('#files', path.join(folder, 'first.png'))
        await visited.locator('#results li').getByText('120 × 80').waitFor()
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
