import path from 'node:path'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'

/** Makes the inspector of the Vite example's dev server, on the picture that it opens with. */
export async function make({ newPage, shootFace }) {
  const { createServer } = await importFrom('examples/vite', 'vite')
  const server = await createServer({
    root: path.join(root, 'examples/vite'),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  })
  try {
    await server.listen()
    const site = `http://127.0.0.1:${server.httpServer.address().port}/`
    // The inspector lists what pages have asked for.
    const page = await newPage({ viewport: { width: 1280, height: 4000 } })
    await page.goto(site, { waitUntil: 'networkidle' })
    await page.close()
    await shootFace('inspector', async (face) => {
      await face.goto(`${site}__pixpress/`, { waitUntil: 'networkidle' })
      await face.locator('.compare img').first().waitFor()
    })
  } finally {
    await server.close()
  }
}
