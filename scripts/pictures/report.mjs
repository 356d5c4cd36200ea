import { cp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from '../bootstrap.mjs'
import { settle } from './studio.mjs'

/** Makes the HTML report of the examples' pictures, as Chromium shows it once the command has compressed them. */
export async function make({ newPage, folder, save, shootFace }) {
  const { run } = await import(pathToFileURL(path.join(root, 'packages/cli/dist/run.js')).href)
  await writeFile(path.join(folder, 'package.json'), '{}')
  await cp(path.join(root, 'examples/images'), path.join(folder, 'src'), { recursive: true })
  await cp(path.join(root, 'examples/images/logo.png'), path.join(folder, 'src/brand.png'))
  const quiet = { write: () => true }
  const args = ['compress', 'src', '--out', 'out', '--convert', 'webp', '--quiet', '--html', 'report.html']
  const { signal } = new AbortController()
  await run(args, { cwd: folder, env: {}, stdin: process.stdin, stdout: quiet, stderr: quiet, signal })
  const { href } = pathToFileURL(path.join(folder, 'report.html'))
  const page = await newPage({ viewport: { width: 1200, height: 1180 }, colorScheme: 'light' })
  await page.goto(href)
  await leaveTimeOut(page)
  await settle(page)
  await save('report-page.webp', await page.screenshot())
  await page.close()
  await shootFace('report', async (face) => {
    await face.goto(href)
    await leaveTimeOut(face)
  })
  await shootFace('picture', async (face) => {
    await face.goto(href)
    await face.locator('.card-name[title="src/temple.jpg"]').click()
    await face.locator('dialog .compare img').first().waitFor()
    await face.evaluate(() => {
      document.activeElement?.blur()
      // It is the machine's, too.
      const time = [...document.querySelectorAll('dialog dt')].find(({ textContent }) => textContent === 'time')
      time.nextElementSibling.remove()
      time.remove()
    })
  })
}

/** Takes the time of the run away, which is the machine's and its load's: a picture would make it the report's. */
const leaveTimeOut = (page) =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll('main *'))
      if (each.children.length === 0 && /^(?:\d+ min )?[\d.]+ s$/.test(each.textContent.trim())) each.remove()
  })
