import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { auditUrl } from '../src/run-audit.ts'
import { parseViewports } from '../src/visit/viewports.ts'

const browser = findChromium()
const isSkipped = browser === undefined && process.env['CI'] !== 'true'

const PAGES: Readonly<Record<string, string>> = {
  '/': '<h1>One</h1><a href="/report.html">the report</a><a href="/two.html">two</a>',
  '/report.html': '<head><meta name="generator" content="pixpress report"></head><a href="/three.html">three</a>',
  '/two.html': '<h1>Two</h1>',
}

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** The URL of a server of the pages. */
async function serve(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html').end(PAGES[url] ?? '')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The names of the pages that an audit of a URL has looked at. */
async function visitedFrom(url: string): Promise<string[]> {
  const { signal } = new AbortController()
  const env = { CHROME_PATH: browser }
  const task = { viewports: parseViewports('390'), env, signal, onPage: () => undefined }
  return (await auditUrl(url, task)).visits.map(({ page }) => page)
}

describe.skipIf(isSkipped)('auditUrl', () => {
  it('leaves out a report of pixpress that a page links to', async () => {
    expect(await visitedFrom(await serve())).toEqual(['/', '/two.html'])
  })

  it('looks at a report that was asked for', async () => {
    expect((await visitedFrom(`${await serve()}/report.html`))[0]).toBe('/report.html')
  })
})
