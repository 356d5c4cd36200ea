import { rm } from 'node:fs/promises'
import { danglingReferences, readReferences } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, copyStarter, install, packPackages } from './install.ts'
import type { Tarballs } from './install.ts'
import { STARTERS } from './starters.ts'

interface Row {
  /** Name of the starter. */
  readonly name: string
  /** The file of its configuration, a text in it, and what takes its place. */
  readonly config: readonly [file: string, text: string, converting: string]
  /** Names that the first page and stylesheets have for images, in the page's order. */
  readonly shown: readonly RegExp[]
  /** Text of the build's messages. */
  readonly says: string
}

const WRITES = "convert: 'auto' writes AVIF and WebP"

const NEXT = {
  config: ['next.config.js', "'export' })", "'export' }, { convert: 'auto' })"],
  images: [/^photo\..+\.jpg\.w640\.webp$/, /^logo\..+\.png\.w384\.webp$/, /^icon\.png\.w96\.webp$/],
} as const

const ROWS: readonly Row[] = [
  {
    name: 'Astro 5',
    config: ['astro.config.mjs', 'pixpress()', "pixpress({ convert: 'auto' })"],
    // An icon, imports, `public/`, `src` of an original, <Image>, <Picture>, and Markdown.
    shown: [
      /^icon\.png$/,
      /^photo\..+\.avif$/,
      /^icon-.+\.webp$/,
      /^poster\..+\.avif$/,
      /^poster\..+\.avif$/,
      /^poster\..+\.jpg$/,
      /^hills\..+\.webp$/,
      /^photo\..+\.avif$/,
      /^hills\..+\.webp$/,
    ],
    says: WRITES,
  },
  {
    name: 'Eleventy',
    config: ['eleventy.config.js', '(pixpress)', "(pixpress, { convert: 'auto' })"],
    shown: [/^photo-.+\.avif$/, /^logo-.+\.png$/, /^icon-.+\.webp$/, /^photo-320-.+\.webp$/, /^hills\.png$/],
    says: WRITES,
  },
  {
    name: 'Nuxt',
    config: ['nuxt.config.js', 'pixpress: {', "pixpress: { convert: 'auto',"],
    // Components of @nuxt/image ask for their formats.
    shown: [/^photo\..+\.avif$/, /^logo\..+\.png$/, /^icon\.png$/, /^hills\..+\.webp$/],
    says: WRITES,
  },
  {
    ...NEXT,
    name: 'Next.js with webpack',
    shown: [...NEXT.images, /^hills\..+\.webp$/],
    says: "'convert' keeps the format of imports",
  },
  {
    ...NEXT,
    name: 'Next.js with Turbopack',
    shown: [...NEXT.images, /^hills\..+\.png$/],
    says: "'convert' is for builds with webpack",
  },
]

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await packPackages()
})
afterAll(() => rm(tarballs.folder, { recursive: true, force: true }))

describe("convert: 'auto'", () => {
  it.for(ROWS)('$name gives each image one URL, cold and warm', async (row, { task, skip }) => {
    const { name, config, shown, says } = row
    const starter = STARTERS.find((each) => each.name === name)!
    const project = await copyStarter(starter, tarballs)
    const folder = starter.output ?? 'dist'

    /** Builds; returns the names that the first page and stylesheets have for images of the starter. */
    async function namesOf(): Promise<string[]> {
      const { output } = await build(project)
      expect(output).toContain(says)
      const all = await readReferences(project.path(folder))
      const ofImages = all.filter(({ url }) => /\b(?:hills|icon|logo|photo|poster)\b[^/]*$/.test(url))
      expect(danglingReferences(ofImages)).toEqual([])
      const texts = ofImages.filter(({ file }) => file === 'index.html').concat(ofImages.filter(isOfStylesheet))
      return texts.map(({ url }) => url.replace(/^.*\//, ''))
    }

    try {
      const [file, text, converting] = config
      const written = await project.readText(file)
      expect(written).toContain(text)
      await project.write(file, written.replace(text, converting))
      const reason = await install(project)
      if (reason !== undefined) {
        task.meta.summary = `untried: ${reason}`
        skip(reason)
      }
      const names = await namesOf()
      const results = await project.list('.cache/pixpress')
      // Others stand between them.
      let next = 0
      for (const each of names) if (shown[next]?.test(each)) next++
      expect([names, shown[next]]).toEqual([names, undefined])
      expect((await project.list(folder)).some((each) => /^(?:.*\/)?icon\.png$/.test(each))).toBe(true)

      await project.remove(folder)
      expect(await namesOf()).toEqual(names)
      expect(await project.list('.cache/pixpress')).toEqual(results)
    } finally {
      await project.dispose()
    }
  })
})

const isOfStylesheet = ({ file }: { readonly file: string }): boolean => file.endsWith('.css')
