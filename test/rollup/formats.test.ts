import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { createProject, decode, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLERS, bundle } from './bundle.ts'
import type { Format, Output } from './bundle.ts'

interface Site {
  imported: string
  located: { href: string }
  small: { href: string }
  picture: { sources: Record<string, string>; img: { src: string; w: number; h: number } }
}

let project: Project

beforeAll(async () => {
  project = await createProject('rollup-formats', {
    files: {
      'src/photo.png': await photo(160, 120).png(),
      'src/located.png': await photo(120, 90, 2).png(),
      'src/main.js': `
        import imported from './photo.png'
        import picture from './photo.png?w=40;80&format=avif;webp&as=picture'
        export { imported, picture }
        export const located = new URL('./located.png', import.meta.url)
        export const small = new URL('./located.png?w=60#top', import.meta.url)`,
    },
  })
})

afterAll(() => project.dispose())

/** Runs a script as a page at `https://site.test/shop/` does that holds `<script src="/js/main.js">`. */
function runInPage(code: string): Site {
  const document = {
    currentScript: { tagName: 'script', src: 'https://site.test/js/main.js' },
    baseURI: 'https://site.test/shop/',
  }
  const context = vm.createContext({ document, URL })
  return vm.runInContext(`${code}\n;globalThis.site ?? site`, context) as Site
}

async function expectEmitted({ files }: Output, name: string, width: number): Promise<void> {
  const bytes = files.get(name)
  expect([name, bytes instanceof Uint8Array]).toEqual([name, true])
  expect(await decode(bytes as Uint8Array)).toMatchObject({ type: 'webp', width })
}

describe.each(BUNDLERS)('%s', (bundler) => {
  const options = { convert: { type: 'image/webp' } } as const

  it.each(['es', 'cjs'] satisfies Format[])('gives URLs of files that are there when Node runs %s', async (format) => {
    const output = await bundle(bundler, project, { format, options })
    const file = project.path('dist', format === 'es' ? 'main.js' : 'main.cjs')
    const site = (
      format === 'es'
        ? await import(/* @vite-ignore */ `${pathToFileURL(file).href}?${bundler}`)
        : createRequire(file)(file)
    ) as Site
    const nameOf = (url: string): string => {
      expect(url).toMatch(/^file:/)
      return path.relative(project.path('dist'), new URL(url).pathname)
    }
    await expectEmitted(output, nameOf(site.imported), 160)
    await expectEmitted(output, nameOf(site.located.href), 120)
    expect(site.small.href).toMatch(/\.webp#top$/)
    await expectEmitted(output, nameOf(site.small.href), 60)
    await expectEmitted(output, nameOf(site.picture.img.src), 80)
    expect(site.picture.sources.webp!.split(', ').map((candidate) => candidate.split(' ')[1])).toEqual(['40w', '80w'])
  })

  it.each(['iife', 'umd'] satisfies Format[])('gives URLs beside the script in a page, %s', async (format) => {
    const output = await bundle(bundler, project, { format, options })
    const site = runInPage(output.code)
    for (const [url, width] of [
      [site.imported, 160],
      [site.located.href, 120],
      [site.picture.img.src, 80],
    ] as const) {
      expect(url).toMatch(/^https:\/\/site\.test\/js\/assets\//)
      await expectEmitted(output, new URL(url).pathname.slice('/js/'.length), width)
    }
    expect(output.warnings.filter((warning) => warning.includes('import.meta'))).toEqual([])
  })

  it.each(['/static/', 'https://cdn.test/'])('puts the public path %s before names', async (publicPath) => {
    const output = await bundle(bundler, project, { format: 'iife', options: { ...options, publicPath } })
    const site = runInPage(output.code)
    expect(site.imported.startsWith(publicPath)).toBe(true)
    await expectEmitted(output, site.imported.slice(publicPath.length), 160)
    const whole = new URL(publicPath, 'https://site.test/').href
    expect(site.located.href.startsWith(whole)).toBe(true)
    await expectEmitted(output, site.located.href.slice(whole.length), 120)
  })
})
