import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { graphic } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeReportPage } from '../../src/report/index.ts'
import { pageData } from '../../src/report/page-data.ts'
import type { PageData } from '../../src/report/page-shape.ts'
import { readParts, renderPage } from '../../src/report/page.ts'
import { image, reportOf } from './images.ts'

const HOSTILE = [
  '<img src=x onerror=alert(1)>.png',
  '</script><script>alert(1)</script>.png',
  '<!--<script>.png',
  '"\'&amp;\u2028.png',
]

let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-page-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const dataOf = (page: string): PageData =>
  JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page)![1]!) as PageData

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

describe('renderPage', () => {
  it('lets no name of a file out of the data', async () => {
    const page = renderPage(pageData(reportOf(HOSTILE.map((name) => image(name, 20, 10)))), await readParts())
    expect(dataOf(page).images.map(({ source }) => source)).toEqual(HOSTILE.toSorted())
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<\/script/g)).toHaveLength(2)
    expect(page).not.toMatch(/<img|<!--/)
  })

  it('holds 1,000 images, in a page that names no server and runs its own script alone', async () => {
    const images = Array.from({ length: 1000 }, (_, at) => image(`src/${at}.jpg`, 1000 + at, 500))
    const { script, style } = await readParts()
    const page = renderPage(pageData(reportOf(images)), { script, style })
    expect(page).not.toMatch(/http:|https:|<link(?! rel="icon" href="data:,")|(?<!\.)\bsrc=|@import/)
    expect(page).toContain(
      `default-src 'none'; img-src 'self' file: data:; script-src 'sha256-${digest(script)}'; style-src 'sha256-${digest(style)}'`,
    )
    expect(page).not.toContain('unsafe-inline')
    expect(page.length).toBeLessThan(300_000)
  })
})

describe('writeReportPage', () => {
  it('writes exactly one file, with relative links to files that are what the report says', async () => {
    const png = await graphic(64, 48).png()
    await mkdir(path.join(root, 'src'))
    await mkdir(path.join(root, 'dist/assets'), { recursive: true })
    await writeFile(path.join(root, 'src/a b#1.png'), png)
    await writeFile(path.join(root, 'src/edited.png'), png)
    await writeFile(path.join(root, 'dist/assets/a b#1-0f3c.avif'), png.subarray(0, 99))
    const images = [
      image('src/a b#1.png', png.length, 99),
      image('src/edited.png', png.length + 1, 70),
      image('src/none.png', 800, 60),
    ]
    await writeReportPage(path.join(root, 'dist/report.html'), reportOf(images), root)
    expect(await readdir(path.join(root, 'dist'))).toEqual(['assets', 'report.html'])
    const page = await readFile(path.join(root, 'dist/report.html'), 'utf8')
    const [there, ...others] = dataOf(page).images
    expect(there).toMatchObject({
      beforeLink: './../src/a%20b%231.png',
      afterLink: './assets/a%20b%231-0f3c.avif',
      thumbnail: expect.stringMatching(/^data:image\/webp;base64,.{20,3000}$/),
    })
    for (const other of others) expect(other).not.toHaveProperty('beforeLink')
    expect(page).not.toContain(root)
    await writeReportPage(path.join(root, 'dist/again.html'), reportOf(images), root)
    expect(await readFile(path.join(root, 'dist/again.html'), 'utf8')).toBe(page)
  })

  it('says which file could not be written', async () => {
    await writeFile(path.join(root, 'file'), '')
    const file = path.join(root, 'file/report.html')
    await expect(writeReportPage(file, reportOf([]), root)).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'IO_FAILED',
      file,
      message: expect.stringContaining('HTML'),
    })
  })
})
