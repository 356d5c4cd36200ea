import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { serverNode } from '@pixpress/testkit'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

/** A server of the built command, whose page is tested. */
export interface PageServer {
  readonly url: string
  readonly process: ChildProcess
}

/**
 * Starts the built command, as `npx pixpress serve` runs it.
 * @param data folder of its data
 * @param env variables besides those of this process
 * @param line that has the URL to give
 */
export async function startServer(
  data: string,
  env: Readonly<Record<string, string>>,
  line: RegExp = /^Serving on (\S+)$/m,
): Promise<PageServer> {
  const command = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')
  const server = spawn(serverNode(), [command, 'serve', '--port', '0', '--data', data, '--metrics-port', 'none'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let seen = ''
  for await (const piece of server.stderr) {
    seen += String(piece)
    const address = line.exec(seen)
    if (address !== null) {
      server.stderr.resume()
      return { url: address[1]!, process: server }
    }
  }
  throw new Error(`The server did not start: ${seen}`)
}

/** An open page of the server. */
export interface OpenPage {
  readonly page: Page
  /** Errors of scripts, of the console, and of the page's policy. */
  readonly problems: string[]
  /** Finds the line of a picture. */
  row(name: string): Locator
  close(): Promise<void>
}

/** Opens the page, and notes whatever goes wrong on it. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ colorScheme: 'light', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // The page shows a refusal of the server; the browser also logs it to its console.
    if (message.type() === 'error' && !/status of [45]|net::ERR/.test(message.text())) problems.push(message.text())
  })
  await page.goto(url)
  return {
    page,
    problems,
    row: (name) => page.locator('#jobs > li', { hasText: name }).last(),
    close: () => context.close(),
  }
}

/** Drops files on the page, or pastes them, as a user does; `bytes` are those of each file. */
export async function giveFiles(
  page: Page,
  how: 'drop' | 'paste',
  files: readonly { readonly name: string; readonly type: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({ name, type, bytes: [...bytes] }))
  await page.evaluate(
    ([kind, all]) => {
      const data = new DataTransfer()
      for (const { name, type, bytes } of all) data.items.add(new File([new Uint8Array(bytes)], name, { type }))
      const settings = { bubbles: true, cancelable: true }
      const target = document.querySelector('#settings')!
      if (kind === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { ...settings, clipboardData: data }))
      else {
        target.dispatchEvent(new DragEvent('dragover', { ...settings, dataTransfer: data }))
        target.dispatchEvent(new DragEvent('drop', { ...settings, dataTransfer: data }))
      }
    },
    [how, given] as const,
  )
}
