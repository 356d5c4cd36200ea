import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { serverNode } from '../../packages/testkit/src/server-node.js'
import { root } from '../bootstrap.mjs'

const PICTURES = ['coffee.png', 'temple.jpg', 'dahlia.jpg', 'logo.png', 'loader.gif']

/** Makes the server's page as Chromium shows it once it has compressed some of the examples' pictures. */
export async function make({ newPage, folder, save, shootFace }) {
  const command = path.join(root, 'packages/cli/dist/bin.js')
  const data = path.join(folder, 'data')
  const server = spawn(serverNode(), [command, 'serve', '--port', '0', '--data', data, '--metrics-port', 'none'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const url = await printedUrl(server)
    server.stderr.resume()
    const page = await newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: 'light' })
    await fill(page, url)
    await save('server-page.webp', await page.screenshot())
    await compare(page)
    await save('server-page-compare.webp', await page.screenshot())
    await page.close()
    await shootFace('server', async (face) => {
      await fill(face, url)
      await compare(face)
    })
  } finally {
    server.kill('SIGTERM')
  }
}

/** Reads the URL of the page, with its key, from what the server prints. */
async function printedUrl(server) {
  let seen = ''
  for await (const piece of server.stderr) {
    seen += String(piece)
    const [, url] = /^Page on (\S+)$/m.exec(seen) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`The server did not start: ${seen}`)
}

/** Drops the pictures on the page, and one that is damaged, and waits for the results. */
async function fill(page, url) {
  await page.goto(url)
  const torn = await readFile(path.join(root, 'examples/images/sunrise.jpg'))
  const files = PICTURES.map(async (name) => ({
    name,
    mimeType: `image/${name.endsWith('jpg') ? 'jpeg' : path.extname(name).slice(1)}`,
    buffer: await readFile(path.join(root, 'examples/images', name)),
  }))
  const damaged = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: torn.subarray(0, 9000) }
  await page.setInputFiles('#files', [...(await Promise.all(files)), damaged])
  await page.locator(`.job[data-state=done]:nth-child(${PICTURES.length})`).waitFor()
  await page.waitForFunction(() => document.querySelector('[data-state=working], [data-state=waiting]') === null)
}

async function compare(page) {
  await page.getByRole('button', { name: 'Compare temple.jpg' }).click()
  await page.locator('.compare img').evaluateAll((images) => Promise.all(images.map((image) => image.decode())))
}
