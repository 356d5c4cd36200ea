import { createProject, perceptualDistance, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { BUNDLERS, INSIDE_PLACES, carries, lightens } from './capabilities.ts'
import type { Bundler, InsidePlace } from './capabilities.ts'

const DATA_URL = /data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})/g

/** A picture for each place, so that results tell where they are from. */
const SEEDS: Readonly<Record<InsidePlace, number>> = { stylesheet: 71, page: 72, json: 73 }
const PLACES = Object.keys(INSIDE_PLACES) as InsidePlace[]

const dataUrl = (data: Uint8Array): string => `data:image/png;base64,${Buffer.from(data).toString('base64')}`

async function filesFor(bundler: Bundler, pictures: Readonly<Record<InsidePlace, Buffer>>) {
  const addsScript = ['webpack', 'rspack', 'rsbuild'].includes(bundler)
  const hasStyles = carries(bundler, 'css-url')
  return {
    'src/main.js': [
      ...(hasStyles ? ["import './style.css'"] : []),
      "import pictures from './pictures.json'",
      'globalThis.site = pictures',
    ].join('\n'),
    'src/pictures.json': JSON.stringify({ plain: 'text', shown: { url: dataUrl(pictures.json) } }),
    ...(hasStyles && {
      'src/style.css': `.tile { background: #fff url("${dataUrl(pictures.stylesheet)}") 0 0 / cover }`,
    }),
    ...(carries(bundler, 'html-img') && {
      'index.html': [
        '<!doctype html><html><head><meta charset="utf-8"><title>x</title></head><body>',
        `<img alt="" src="${dataUrl(pictures.page)}">`,
        addsScript ? '' : '<script type="module" src="./src/main.js"></script>',
        '</body></html>',
      ].join('\n'),
    }),
  }
}

for (const bundler of BUNDLERS) {
  describe.skipIf(!canBuild(bundler))(`pictures inside of texts with ${bundler}`, () => {
    let project: Project
    let result: BuildResult
    const pictures = {} as Record<InsidePlace, Buffer>
    let found: Buffer[]

    beforeAll(async () => {
      for (const place of PLACES) pictures[place] = await photo(120, 90, SEEDS[place]).png()
      project = await createProject(`inside-${bundler}`, {
        files: await filesFor(bundler, pictures),
      })
      result = await buildOrThrow(project, bundler, {})
      const output = await readOutput(project)
      found = [...output.values()].flatMap((bytes) =>
        [...bytes.toString('latin1').matchAll(DATA_URL)].map(([, base64]) => Buffer.from(base64!, 'base64')),
      )
    })
    afterAll(() => project?.dispose())

    const sources = (): string[] => (result.report?.images ?? []).map(({ source }) => source)

    for (const place of PLACES.filter((each) => lightens(bundler, each))) {
      it(`compresses those of ${INSIDE_PLACES[place]} in place, in their own type`, async () => {
        const source = pictures[place]
        const distances = await Promise.all(found.map((data) => perceptualDistance(data, source)))
        const nearest = found.filter((_, at) => distances[at]! < 4)
        expect(nearest).toHaveLength(1)
        expect(nearest[0]!.length).toBeLessThan(0.8 * source.length)
      })
    }

    it('names each in the report by the text that it stands in', () => {
      expect(result.warnings.filter((text) => !text.includes('PLUGIN_TIMINGS'))).toEqual([])
      expect(sources()).toHaveLength(PLACES.filter((place) => lightens(bundler, place)).length)
      for (const source of sources()) expect(source).toMatch(/ \(data: [\da-f]+\)\.png$/)
      if (lightens(bundler, 'json')) expect(sources()).toContain('src/pictures.json (data: 1).png')
    })
  })
}
