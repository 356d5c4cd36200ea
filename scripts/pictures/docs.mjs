import path from 'node:path'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'

/**
 * Makes the front page of the documentation's site, comparing its picture. The dev server shows it, as a build would
 * ask for the very pictures that are to be made.
 */
export async function make({ newPage, shootFace }) {
  const { createServer } = await importFrom('docs', 'vitepress')
  const server = await createServer(path.join(root, 'docs'), { host: '127.0.0.1', port: 0 })
  await server.listen()
  const url = `http://127.0.0.1:${server.httpServer.address().port}/`
  const show = async (page) => {
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: /^Compare with the source/ }).click()
    await page.locator('.compare img').first().waitFor()
    await page.evaluate(() => document.activeElement?.blur())
  }
  try {
    // The first visit has the server put dependencies together, and reload the page for that.
    const first = await newPage()
    await first.goto(url, { waitUntil: 'networkidle' })
    await first.close()
    await shootFace('docs', show)
  } finally {
    await server.close()
  }
}
