import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { root } from './bootstrap.mjs'
import { importFrom } from './import-from.mjs'

// Makes docs/images/server-page.webp and server-page-compare.webp: the server's page as Chromium shows it once it has
// compressed some of the examples' pictures. Needs the built packages (`npm run build`), Node 22.13 or newer, and
// Chromium, by default Debian's; PIXPRESS_CHROMIUM names another.
const { chromium } = await importFrom('test', 'playwright-core')
const { createOptimizer } = await importFrom('test', '@pixpress/core')

const PICTURES = ['coffee.png', 'temple.jpg', 'dahlia.jpg', 'logo.png', 'loader.gif']

const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
const command = path.join(root, 'packages/cli/dist/bin.js')
const server = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', folder, '--metrics-port', 'none'], {
  stdio: ['ignore', 'ignore', 'pipe'],
})
const optimizer = createOptimizer({ cache: false })
const browser = await chromium.launch({
  executablePath: process.env.PIXPRESS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})

/** Reads the URL of the page, with its key, from what the server prints. */
async function printedUrl() {
  let seen = ''
  for await (const piece of server.stderr) {
    seen += String(piece)
    const [, url] = /^Page on (\S+)$/m.exec(seen) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`The server did not start: ${seen}`)
}

async function save(name, image) {
  const { data } = await optimizer.optimize(image, { convert: { type: 'image/webp' } })
  await writeFile(path.join(root, 'docs/images', name), data)
  console.log(`docs/images/${name}  ${data.length} bytes`)
}

try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: 'light' })
  await page.goto(await printedUrl())
  server.stderr.resume()
  const torn = await readFile(path.join(root, 'examples/images/sunrise.jpg'))
  await page.setInputFiles('#files', [
    ...(await Promise.all(
      PICTURES.map(async (name) => ({
        name,
        mimeType: `image/${name.endsWith('jpg') ? 'jpeg' : path.extname(name).slice(1)}`,
        buffer: await readFile(path.join(root, 'examples/images', name)),
      })),
    )),
    { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: torn.subarray(0, 9000) },
  ])
  await page.locator(`.job[data-state=done]:nth-child(${PICTURES.length})`).waitFor()
  await page.waitForFunction(() => document.querySelector('[data-state=working], [data-state=waiting]') === null)
  await save('server-page.webp', await page.screenshot())
  await page.getByRole('button', { name: 'Compare temple.jpg' }).click()
  await page.locator('.compare img').evaluateAll((images) => Promise.all(images.map((image) => image.decode())))
  await save('server-page-compare.webp', await page.screenshot())
} finally {
  await optimizer.close()
  await browser.close()
  server.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
