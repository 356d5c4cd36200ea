import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { copyFile, readFile, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Report } from '@pixpress/core/report'
import { WORKSPACE, endDaemon, freePort, requireTool, until } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../browser/chromium.ts'
import { build, copyProject, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'

const IMAGES = ['dahlia.jpg', 'fig.jpg', 'hills.png', 'icon.png', 'logo.png', 'mountains.jpg', 'temple.jpg']
const PICTURES = path.join(WORKSPACE, 'examples/images')

const chromium = requireTool('chromium')
let tarballs: Tarballs
let browser: Browser | undefined

beforeAll(async () => {
  tarballs = await packPackages()
  if (chromium !== undefined) browser = await launch(chromium)
})
afterAll(async () => {
  await browser?.close()
  await rm(tarballs.folder, { recursive: true, force: true })
})

describe('examples/next', () => {
  it('Next.js example builds, cold and warm, and Chromium shows every image', async ({ task, skip }) => {
    const project = await copyExample()
    try {
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      const cold = await build(project)
      const { totals, images } = JSON.parse(await project.readText('report.json')) as Report
      expect(new Set(images.map(({ source }) => path.posix.basename(source)))).toEqual(new Set(IMAGES))
      expect(totals.after).toBeLessThan(totals.before / 2)
      const media = await mediaOf(project)
      const results = await project.list('.cache/pixpress')

      await project.remove('.next')
      const warm = await build(project)
      expect(await mediaOf(project)).toEqual(media)
      expect(await project.list('.cache/pixpress')).toEqual(results)

      skip(browser === undefined, 'all but the drawing, which needs Chromium')
      await judgeServer(project)
      await judgeChanges(project)
      task.meta.summary = `${media.length} images; cold ${cold.seconds.toFixed(1)} s, warm ${warm.seconds.toFixed(1)} s`
    } finally {
      if (process.env.PIXPRESS_KEEP_PROJECTS === undefined) await project.dispose()
      else console.log(project.root)
    }
  })
})

/** The example with its pictures inside, as a project of its own has them. */
async function copyExample(): Promise<Project> {
  const project = await copyProject('example-next', path.join(WORKSPACE, 'examples/next'), tarballs)
  for (const file of await project.list('app')) {
    const text = await project.readText(`app/${file}`)
    await project.write(`app/${file}`, text.replaceAll('../../images/', '../images/'))
  }
  for (const name of IMAGES) await project.write(`images/${name}`, await readFile(path.join(PICTURES, name)))
  return project
}

/** The images of the build, by name. */
async function mediaOf(project: Project): Promise<string[]> {
  return (await readdir(project.path('.next/static/media'))).filter((name) => !/\.woff2?$/.test(name)).sort()
}

async function serve(project: Project, command: 'start' | 'dev'): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort()
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env
  const server = spawn(
    process.execPath,
    [project.path('node_modules/next/dist/bin/next'), command, '--port', String(port)],
    { cwd: project.root, env: { ...inherited, NEXT_TELEMETRY_DISABLED: '1' }, stdio: 'ignore' },
  )
  const url = `http://localhost:${port}/`
  await until(
    'Next.js',
    async () => {
      const { status } = await fetch(url)
      if (status !== 200) throw new Error(`${url} answers ${status}`)
    },
    120_000,
  )
  return { url, server }
}

interface Opened {
  readonly page: Page
  /** Warnings and errors of the console: hydration tells there of what does not fit. */
  readonly complaints: string[]
  /** Bytes of each image of the build that was loaded, by URL. */
  readonly loaded: Map<string, number>
}

async function open(url: string): Promise<Opened> {
  const page = await browser!.newPage({ viewport: { width: 1000, height: 2000 } })
  const complaints: string[] = []
  const loaded = new Map<string, number>()
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', async (response) => {
    if (!response.url().includes('/_next/static/media/')) return
    loaded.set(decodeURI(response.url()), (await response.body()).length)
  })
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  await page.goto(url, { waitUntil: 'load' })
  return { page, complaints, loaded }
}

interface Shown {
  readonly url: string
  readonly width: number
  readonly attribute: string | null
}

const shownBy = (page: Page): Promise<Record<string, Shown>> =>
  page.$$eval('img', (images) =>
    Object.fromEntries(
      images.map((image) => {
        const { currentSrc: url, naturalWidth: width, complete } = image
        return [image.id, { url, width: complete ? width : 0, attribute: image.getAttribute('width') }]
      }),
    ),
  )

/** Clicks, and waits for the count: the page has been taken over by its script. */
async function clickOnce(page: Page): Promise<void> {
  await page.click('button')
  await page.waitForFunction(() => document.querySelector('button')!.textContent!.includes('1'))
}

async function judgeServer(project: Project): Promise<void> {
  const { url, server } = await serve(project, 'start')
  try {
    const { page, complaints, loaded } = await open(url)
    await clickOnce(page)
    const { dahlia, mountains, fig, logo, icon } = await shownBy(page)
    expect(dahlia).toMatchObject({ attribute: '640', width: 640 })
    expect(dahlia!.url).toContain('/_next/image?url=')
    expect([mountains!.width, mountains!.attribute]).toEqual([320, '640'])
    expect(mountains!.url).toMatch(/\.avif$/)
    expect(fig!.url).toMatch(/\.webp$/)
    expect([fig!.width, logo!.attribute, logo!.width]).toEqual([320, '345', 345])
    expect(icon!.width).toBe(180)
    expect(complaints).toEqual([])
    const names = [...loaded.keys()].map((each) => path.posix.basename(each))
    expect(names.find((name) => name.startsWith('temple'))).toMatch(/\.webp$/)
    for (const [each, bytes] of loaded) {
      const stem = path.posix.basename(each).replace(/[.-].*/, '')
      const source = IMAGES.find((name) => name.startsWith(stem)) ?? 'mountains.jpg'
      expect([each, bytes < (await stat(path.join(PICTURES, source))).size]).toEqual([each, true])
    }
    await page.close()
  } finally {
    await endDaemon(server)
  }
}

/** In the dev server an image that changes is shown without loading the page again. */
async function judgeChanges(project: Project): Promise<void> {
  const { url, server } = await serve(project, 'dev')
  try {
    const { page, complaints } = await open(url)
    await clickOnce(page)
    const before = await shownBy(page)
    expect(before['fig']!.width).toBe(320)
    expect(complaints).toEqual([])
    await copyFile(path.join(PICTURES, 'sunrise.jpg'), project.path('images/fig.jpg'))
    await page.waitForFunction(
      (former) => {
        const { currentSrc, complete, naturalWidth } = document.querySelector<HTMLImageElement>('#fig')!
        return currentSrc !== former && complete && naturalWidth === 320
      },
      before['fig']!.url,
      { timeout: 120_000 },
    )
    expect(await page.textContent('button')).toContain('1')
    await page.close()
  } finally {
    await endDaemon(server)
  }
}
