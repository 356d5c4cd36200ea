import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, readOutput } from './build.ts'
import { BUNDLERS, carries } from './capabilities.ts'
import type { Bundler } from './capabilities.ts'

/** A floor plan whose rooms a page may count, in a colour that a page may look for. */
const plan = (
  seed: number,
): string => `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">
  <!-- ${'a plan '.repeat(20)} -->
  <rect x="10" y="${seed}" width="40" height="30" fill="#000000"/>
  <rect x="60" y="${seed}" width="40" height="30" fill="#000000"/>
  <circle cx="150" cy="70" r="12" fill="#CCCCDD"/>
</svg>`

/** References by the name of their image: `true` where nothing but a picture is seen; `either` differs. */
const REFERENCES = {
  fetched: false,
  located: false,
  mixed: false,
  shown: true,
  background: true,
  part: false,
  pictured: true,
  object: false,
  both: 'either',
} as const

type Name = keyof typeof REFERENCES

const SCRIPT = `import './style.css'
import fetched from './fetched.svg'
import shown from './shown.svg'
import mixed from './mixed.svg'
const h = (type, properties) => ({ type, properties })
globalThis.site = [fetch(fetched), new URL('./located.svg', import.meta.url), h('img', { src: shown }), h('img', { src: mixed }), mixed]`

const STYLES = '.a { background: url(./background.svg) } .b { mask: url(./part.svg#a) }'

const PAGE = ['pictured', 'object', 'both'] as const

function namesFor(bundler: Bundler): Name[] {
  const isLeftOut = (name: Name): boolean =>
    (bundler === 'bun' && name === 'object') ||
    (PAGE.some((each) => each === name) && !carries(bundler, 'html-img')) ||
    (['background', 'part'].includes(name) && !carries(bundler, 'css-url'))
  return (Object.keys(REFERENCES) as Name[]).filter((name) => !isLeftOut(name))
}

function filesFor(bundler: Bundler): Record<string, string> {
  const hasStyles = carries(bundler, 'css-url')
  const hasPages = carries(bundler, 'html-img')
  const ownScript = ['webpack', 'rspack', 'rsbuild'].includes(bundler)
  const script = ownScript ? '' : '<script type="module" src="./src/main.js"></script>'
  return {
    ...Object.fromEntries(Object.keys(REFERENCES).map((name, seed) => [`src/${name}.svg`, plan(seed)])),
    'src/main.js': hasStyles ? SCRIPT : SCRIPT.replace("import './style.css'\n", ''),
    'src/style.css': STYLES,
    ...(hasPages && {
      'index.html': `<!doctype html><html><head><title>x</title></head><body>
<img src="./src/pictured.svg" alt=""><img src="./src/both.svg" alt="">
<object data="./src/object.svg"></object><object data="./src/both.svg"></object>${script}</body></html>`,
    }),
  }
}

for (const bundler of BUNDLERS) {
  describe.skipIf(!canBuild(bundler))(`SVG with ${bundler}`, () => {
    let project: Project
    let files: Map<string, Buffer>
    beforeAll(async () => {
      project = await createProject(`drawings-${bundler}`, { files: filesFor(bundler) })
      await buildOrThrow(project, bundler, {}, { inlineLimit: 0 })
      files = await readOutput(project)
    })
    afterAll(() => project?.dispose())

    /** All versions of an image, inlined ones included. */
    const versionsOf = (name: Name): string[] => {
      const mark = `y="${Object.keys(REFERENCES).indexOf(name)}"`
      const merged = new RegExp(`[Mm]10[ ,]?${Object.keys(REFERENCES).indexOf(name)}[hHvV]`)
      const isOf = (text: string): boolean => text.includes(mark) || merged.test(text)
      return [...files].flatMap(([file, bytes]) => {
        const text = bytes.toString('utf8')
        if (path.extname(file) === '.svg') return isOf(text) ? [text] : []
        const inline = [...text.matchAll(/data:image\/svg\+xml[^"')\s]*/g)].map(([url]) => decoded(url))
        return inline.filter(isOf)
      })
    }

    it.each(namesFor(bundler))('keeps what a page could look for, and else draws alike in fewer bytes: %s', (name) => {
      const versions = versionsOf(name)
      expect(versions.length).toBeGreaterThan(0)
      const kept = versions.map((text) => text.split('<rect').length === 3 && text.includes('fill="#000000"'))
      if (REFERENCES[name] === true) expect(kept).toContain(false)
      else if (REFERENCES[name] === false) expect(kept).not.toContain(false)
      else expect(kept).toContain(true)
      for (const text of versions) expect(text).not.toContain('a plan')
    })
  })
}

const decoded = (url: string): string =>
  url.includes(';base64,')
    ? Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString('utf8')
    : decodeURIComponent(url.slice(url.indexOf(',') + 1)).replaceAll("'", '"')
