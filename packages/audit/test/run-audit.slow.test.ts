import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { auditUrl } from '../src/run-audit.ts'
import type { AuditResult } from '../src/run-audit.ts'
import { parseViewports } from '../src/visit/viewports.ts'

const browser = findChromium()
const isSkipped = browser === undefined && process.env['CI'] !== 'true'

const PAGES: Readonly<Record<string, string>> = {
  '/': '<h1>One</h1><a href="/report.html">the report</a><a href="/two.html">two</a>',
  '/report.html': '<head><meta name="generator" content="pixpress report"></head><a href="/three.html">three</a>',
  '/two.html': '<h1>Two</h1>',
  '/blank.html': '<div id="root"></div><script>document.getElementById("rot").append("One")\nlater()</script>',
  '/half.html': '<h1>Half</h1><script>Promise.reject(new Error(`no ${location.href}`))</script>',
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

function audited(url: string): Promise<AuditResult> {
  const { signal } = new AbortController()
  const env = { CHROME_PATH: browser }
  return auditUrl(url, { viewports: parseViewports('390'), env, signal, onPage: () => undefined })
}

/** The names of the pages that an audit of a URL has looked at. */
const visitedFrom = async (url: string): Promise<string[]> => (await audited(url)).visits.map(({ page }) => page)

describe.skipIf(isSkipped)('auditUrl', () => {
  it('leaves out a report of pixpress that a page links to', async () => {
    expect(await visitedFrom(await serve())).toEqual(['/', '/two.html'])
  })

  it('looks at a report that was asked for', async () => {
    expect((await visitedFrom(`${await serve()}/report.html`))[0]).toBe('/report.html')
  })

  it('cannot look at a page whose script failed before it drew anything', async () => {
    const { visits, failures } = await audited(`${await serve()}/blank.html`)
    expect(visits).toEqual([])
    const error = "TypeError: Cannot read properties of null (reading 'append')"
    const message = `A script of the page failed before it drew anything: ${error}.`
    expect(failures).toEqual([{ page: '/blank.html', message }])
  })

  it('keeps what scripts of a page threw that has drawn something', async () => {
    const { visits, failures } = await audited(`${await serve()}/half.html`)
    expect(failures).toEqual([])
    expect(visits.map(({ errors }) => errors)).toEqual([['Error: no /half.html']])
  })

  it('knows of no error where scripts do not fail', async () => {
    expect((await audited(await serve())).visits.flatMap(({ errors }) => errors)).toEqual([])
  })
})
