import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { graphic, requireTool, serverNode } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { giveFiles, openPage } from './page-server.ts'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

const chromium = requireTool('chromium')

let folder: string
const processes: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-own-page-'))
})
afterAll(async () => {
  for (const each of processes) each.kill()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the command without arguments at a terminal of its own. */
function startAtTerminal(node: string): ChildProcess {
  const started = spawn('script', ['-qfec', `exec ${node} ${COMMAND}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TMPDIR: folder, BROWSER: 'none' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  processes.push(started)
  return started
}

async function addressOf(started: ChildProcess): Promise<URL> {
  let seen = ''
  for await (const piece of started.stdout!.iterator({ destroyOnReturn: false })) {
    seen += String(piece)
    const [, url] = /Drop pictures on (\S+)/.exec(seen) ?? []
    if (url !== undefined) return new URL(url)
  }
  throw new Error(`The page did not open: ${seen}`)
}

describe('the command without arguments, at a terminal', { skip: requireTool('script') === undefined }, () => {
  it.each([
    ['this Node, which may lack SQLite', process.execPath],
    ['the Node that servers need', serverNode()],
  ])('serves a page with a key of its own on %s, and leaves nothing behind', async (_, node) => {
    const started = startAtTerminal(node)
    const url = await addressOf(started)
    started.stdout!.resume()
    expect(url.hostname).toBe('127.0.0.1')
    expect(await (await fetch(new URL('/', url))).text()).toContain('<title>')
    const authorization = `Basic ${btoa(`api:${url.hash.replace('#key=', '')}`)}`
    const body = Uint8Array.from(await graphic(80, 60).png())
    const answer = await fetch(new URL('/shrink', url), { method: 'POST', headers: { authorization }, body })
    expect(answer.status).toBe(201)
    expect((await readdir(folder)).filter((name) => name.startsWith('pixpress-page-'))).toHaveLength(1)
    started.stdin!.write('\u0003')
    const [code] = await once(started, 'exit')
    expect(code).toBe(0)
    expect((await readdir(folder)).filter((name) => name.startsWith('pixpress-page-'))).toEqual([])
  })

  it.skipIf(chromium === undefined)(
    'speaks to the person at this computer: no key, no count, no request of nothing',
    async () => {
      const started = startAtTerminal(process.execPath)
      const url = await addressOf(started)
      started.stdout!.resume()
      const browser = await launch(chromium!)
      const requests: string[] = []
      const { page, problems, row } = await openPage(browser, 'about:blank')
      page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await page.goto(url.href)
      await page.waitForLoadState('networkidle')
      expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
      const text = await page.locator('body').innerText()
      expect(text).not.toMatch(/deleted|hours|server|account|compressions?\b/i)
      // The key stays with the address, so the page can be loaded again.
      await page.reload()
      const bytes = await graphic(80, 60).png()
      await giveFiles(page, 'drop', [{ name: 'a.png', type: 'image/png', bytes }])
      await row('a.png')
        .getByRole('button', { name: /download/i })
        .first()
        .waitFor()
      expect(await page.locator('#count').innerText()).toBe('')
      await page.locator('#more').evaluate((details: HTMLDetailsElement) => void (details.open = true))
      expect(await page.locator('#key-field').isVisible()).toBe(false)
      expect(await page.locator('#counted').isVisible()).toBe(false)
      await page.goto('about:blank')
      await page.goto(new URL('/', url).href)
      await giveFiles(page, 'drop', [{ name: 'b.png', type: 'image/png', bytes }])
      expect(await page.locator('#problem').innerText()).toContain('terminal')
      expect(await page.locator('#key-field').isVisible()).toBe(false)
      expect(problems).toEqual([])
      await browser.close()
    },
  )
})
