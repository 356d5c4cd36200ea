import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readFeatures } from '../../../src/formats/svg/features.ts'
import { looksSame, render, renderableSize, withoutProlog } from '../../../src/formats/svg/render.ts'
import type { Rendering } from '../../../src/formats/svg/render.ts'
import { svg } from './svg.ts'

const BOX = 'viewBox="0 0 24 24" width="24" height="24"'

async function seen(document: string): Promise<Rendering> {
  const rendering = await render(document, readFeatures(document).size!)
  expect(rendering).toBeDefined()
  return rendering!
}

const areSame = async (one: string, other: string): Promise<boolean> =>
  looksSame(await seen(svg(one, BOX)), await seen(svg(other, BOX)))

describe('the rendering of an SVG', () => {
  it.each([
    ['an icon', 24, 16, 256, 171],
    ['a drawing', 200, 100, 400, 200],
    ['a large drawing', 4000, 2000, 512, 256],
  ])('has a bounded size: %s', async (_, width, height, shownWidth, shownHeight) => {
    const rendering = await seen(svg('<path d="M0 0h9v9z"/>', `width="${width}" height="${height}"`))
    expect([rendering.width, rendering.height]).toEqual([shownWidth, shownHeight])
  })

  it('is not tried where it has no bounds', () => {
    for (const document of [
      svg('<image href="data:image/png;base64,AAAA"/>'),
      svg('<filter id="f"><feTurbulence/></filter>'),
      svg('', 'width="1000000000" height="1"'),
      svg('<path d="M0 0h9v9z"/>'),
      svg(
        `<g id="g0"/>${Array.from({ length: 6 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(9)}</g>`).join('')}`,
      ),
    ]) {
      expect(renderableSize(document, readFeatures(document))).toBeUndefined()
    }
  })

  it('is missing where librsvg refuses the document', async () => {
    expect(await render(svg('<path/>', 'width="0" height="0"'), { width: 0, height: 0 })).toBeUndefined()
  })

  it('does not depend on what stands before the outermost element', async () => {
    const drawing = svg('<path d="M0 0h9v9z"/>', BOX)
    const prolog = `\uFEFF<?xml version="1.0"?>\n<!-- <svg> ${'x'.repeat(5000)} --><!DOCTYPE svg PUBLIC "a" "b">\n`
    expect(withoutProlog(prolog + drawing)).toBe(drawing)
    expect(looksSame(await seen(prolog + drawing), await seen(drawing))).toBe(true)
  })

  it('loads nothing from the network', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await seen(
      `<?xml-stylesheet href="${url}/a.css"?>${svg(
        `<style>@import "${url}/b.css";@font-face{font-family:f;src:url(${url}/f.woff)}</style>` +
          `<image href="${url}/i.png" width="24" height="24"/><use href="${url}/u.svg#a"/><text font-family="f">a</text>` +
          `<filter id="f"><feImage href="${url}/fe.png"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
        BOX,
      )}`,
    )
    server.close()
    expect(requests).toBe(0)
  })

  it('loads no file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-svg-'))
    try {
      const file = path.join(folder, 'red.png')
      await writeFile(
        file,
        await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      )
      for (const href of [pathToFileURL(file).href, file, path.relative(process.cwd(), file)]) {
        const { pixels } = await seen(svg(`<image href="${href}" width="24" height="24"/>`, BOX))
        expect(pixels.every((level) => level === 0)).toBe(true)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('two renderings', () => {
  it('look the same where an outline is rounded', async () => {
    expect(await areSame('<path d="M2.00049 2h9v9.00049z"/>', '<path d="M2 2h9v9z"/>')).toBe(true)
    expect(await areSame('<circle cx="12" cy="12" r="9.0004"/>', '<circle cx="12" cy="12" r="9"/>')).toBe(true)
  })

  it.each([
    ['an outline that is bent', '<circle cx="12" cy="12" r="9.1"/>', '<circle cx="12" cy="12" r="9"/>'],
    [
      'an area of nearly the same colour',
      '<path fill="#808080" d="M0 0h24v24z"/>',
      '<path fill="#848484" d="M0 0h24v24z"/>',
    ],
    [
      'an area of nearly the same opacity',
      '<path opacity=".5" d="M0 0h24v24z"/>',
      '<path opacity=".52" d="M0 0h24v24z"/>',
    ],
    ['white on nothing', '<path fill="#fff" d="M0 0h24v24z"/>', ''],
    ['a faint line', '<path stroke="#eee" d="M0 12h24"/>', '<path stroke="#eee" d="M0 12.2h24"/>'],
    ['a small dot', '<circle cx="5" cy="5" r=".1"/>', ''],
  ])('look different: %s', async (_, one, other) => {
    expect(await areSame(one, other)).toBe(false)
  })

  it('look different where their sizes do', async () => {
    expect(
      looksSame(await seen(svg('', 'width="24" height="24"')), await seen(svg('', 'width="24" height="20"'))),
    ).toBe(false)
  })
})
