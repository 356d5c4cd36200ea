import path from 'node:path'
import { useTemporaryFolder } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { noteUnnamedCopies } from '../../src/copies/unnamed-copies.ts'
import { createSession } from '../../src/session/index.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import type { DeliveredCopy } from '../../src/session/report/remarks.ts'

const folder = useTemporaryFolder()

/** The copies that are noted for an output of these texts, `undefined` where nothing is said. */
async function unnamed(
  texts: Readonly<Record<string, string>>,
  images: readonly string[],
): Promise<string[] | undefined> {
  await folder.write(
    Object.fromEntries(
      images.flatMap((name) => [
        [`public/${name}`, 'x'],
        [`dist/${name}`, 'xy'],
      ]),
    ),
  )
  await folder.write(Object.fromEntries(Object.entries(texts).map(([name, text]) => [`dist/${name}`, text])))
  const session = createSession(resolvePluginOptions({ report: false, cache: false }, folder.path))
  let noted: readonly DeliveredCopy[] | undefined
  const log = { ...session.log, unnamed: (copies: readonly DeliveredCopy[]) => void (noted = copies) }
  await noteUnnamedCopies({ ...session, log }, path.join(folder.path, 'public'), path.join(folder.path, 'dist'))
  for (const { bytes } of noted ?? []) expect(bytes).toBe(2)
  return noted?.map(({ source }) => source)
}

describe('noteUnnamedCopies', () => {
  it('finds names in pages, stylesheets, scripts and data, wherever in a URL or string', async () => {
    const texts = {
      'index.html': '<img src="/a.png?v=2"><img srcset="/img/b%20c.jpg 2x">',
      'app.css': '.x{background:url(/img/D.webp)}',
      'app.js': 'const u=base+"e.gif",v=`${base}/f.svg`,w="/Screenshot 2025-04-04 (1).png"',
      'feed.xml': '<enclosure url="https://example.com/g.avif"/><a href="k.tiff"/>',
    }
    const images = [
      'a.png',
      'img/b c.jpg',
      'img/d.webp',
      'e.gif',
      'f.svg',
      'g.avif',
      'k.tiff',
      'Screenshot 2025-04-04 (1).png',
      'old/h i.png',
      'favicon.png',
    ]
    expect(await unnamed(texts, images)).toEqual(['public/old/h i.png'])
  })

  it('finds the textures that models name, also in binary files', async () => {
    const texts = {
      'index.html': '<canvas>',
      'desk/scene.gltf': '{"images":[{"uri":"textures/wood%20a.jpeg"}]}',
      'desk/lamp.glb': '\0\u0001glTF{"images":[{"uri":"lamp.png"}]}\0\u0001',
      'car.mtl': 'map_Kd -s 1 1 1 paint.jpg',
    }
    const images = ['desk/textures/wood a.jpeg', 'desk/lamp.png', 'paint.jpg', 'rust.jpg']
    expect(await unnamed(texts, images)).toEqual(['public/rust.jpg'])
  })

  it('passes over folders whose files scripts name in parts', async () => {
    const texts = {
      'index.html': '<div id="app">',
      'app.js': 'const one=`/cards/${e.image}.jpg`,two="/img/team/"+name+".png",page="/old/index.html"',
    }
    const images = ['cards/a.jpg', 'img/team/b.png', 'img/c.png', 'old/d.png']
    expect(await unnamed(texts, images)).toEqual(['public/img/c.png', 'public/old/d.png'])
  })

  it('says nothing of an output without a page', async () => {
    expect(await unnamed({ 'app.js': 'x' }, ['a.png'])).toBeUndefined()
  })

  it('says nothing where the only page was copied as well', async () => {
    await folder.write({ 'public/google1234.html': 'google-site-verification' })
    expect(await unnamed({ 'google1234.html': 'google-site-verification' }, ['a.png'])).toBeUndefined()
  })

  it('passes over files that were not copied', async () => {
    await folder.write({ 'public/only.png': 'x' })
    expect(await unnamed({ 'index.html': '<p>' }, [])).toEqual([])
  })
})
