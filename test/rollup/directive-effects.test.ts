import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { createProject, photo, photoInHdr, transparentGraphic } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIRECTIVES } from '../../packages/unplugin/dist/directives/rows.js'
import { bundle } from './bundle.ts'

/** An import with a directive, and the one that it is compared with: the same without it. */
type Effect = readonly [image: string, withIt: string, without: string]

/** Each directive in an import that gives something else without it. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  w: ['photo.png', 'w=20', ''],
  h: ['photo.png', 'h=20', ''],
  fit: ['photo.png', 'w=30&h=30&fit=cover', 'w=30&h=30'],
  method: ['photo.png', 'w=30&h=30&method=cover', 'w=30&h=30'],
  aspect: ['photo.png', 'w=30&aspect=1:1', 'w=30'],
  position: ['photo.png', 'w=20&h=60&fit=cover&position=left', 'w=20&h=60&fit=cover'],
  kernel: ['photo.png', 'w=30&kernel=nearest', 'w=30'],
  allowUpscale: ['photo.png', 'w=160&allowUpscale', 'w=160'],
  withoutReduction: ['photo.png', 'w=20&withoutReduction', 'w=20'],
  flatten: ['cutout.png', 'w=30&flatten', 'w=30'],
  format: ['photo.png', 'format=webp', ''],
  preset: ['photo.png', 'preset=tiny', ''],
  as: ['photo.png', 'w=30&as=meta', 'w=30'],
  basePixels: ['photo.png', 'w=20;40&as=srcset&basePixels=20', 'w=20;40&as=srcset'],
  lqip: ['photo.png', 'w=30&as=img&lqip=color', 'w=30&as=img'],
  rotate: ['photo.png', 'w=30&rotate=90', 'w=30'],
  flip: ['photo.png', 'w=30&flip', 'w=30'],
  flop: ['photo.png', 'w=30&flop', 'w=30'],
  tint: ['photo.png', 'w=30&tint=00f', 'w=30'],
  hue: ['photo.png', 'w=30&hue=90', 'w=30'],
  saturation: ['photo.png', 'w=30&saturation=3', 'w=30'],
  brightness: ['photo.png', 'w=30&brightness=0.5', 'w=30'],
  blur: ['photo.png', 'w=30&blur=4', 'w=30'],
  median: ['photo.png', 'w=30&median=5', 'w=30'],
  normalize: ['photo.png', 'w=30&normalize', 'w=30'],
  grayscale: ['photo.png', 'w=30&grayscale', 'w=30'],
  invert: ['photo.png', 'w=30&invert', 'w=30'],
  background: ['cutout.png', 'w=30&background=f00', 'w=30'],
  preserve: ['credited.jpg', 'w=30&preserve=copyright', 'w=30'],
  gainmap: ['hdr.jpg', 'w=40&gainmap=false', 'w=40'],
  quality: ['photo.png', 'format=webp&quality=30', 'format=webp'],
  maxBytes: ['photo.png', 'format=webp&maxBytes=300', 'format=webp'],
  effort: ['photo.png', 'format=webp&effort=fast', 'format=webp'],
  lossless: ['photo.png', 'format=webp&lossless', 'format=webp'],
}

let project: Project
const results = new Map<string, string>()

const specifier = (image: string, query: string): string => `./${image}${query === '' ? '' : `?${query}`}`
const imports = [
  ...new Set(Object.values(EFFECTS).flatMap(([image, ...queries]) => queries.map((query) => specifier(image, query)))),
]

/** Returns the value of an import, with the bytes of the files that it names in the place of their names. */
async function shown(value: unknown): Promise<string> {
  const text = JSON.stringify(value)
  const files = [...new Set(text.match(/file:[^"\s,]+/g) ?? [])]
  let whole = text
  for (const file of files) {
    const digest = createHash('sha256')
      .update(await readFile(new URL(file)))
      .digest('hex')
    whole = whole.replaceAll(file, digest)
  }
  return whole
}

beforeAll(async () => {
  project = await createProject('directive-effects', {
    files: {
      'src/photo.png': await photo(80, 60).png(),
      'src/cutout.png': await transparentGraphic(60, 60).png(),
      'src/credited.jpg': await credited(),
      'src/hdr.jpg': await photoInHdr(80, 60),
    },
  })
  const lines = imports.map((each, at) => `import i${at} from ${JSON.stringify(each)}`)
  const values = imports.map((each, at) => `${JSON.stringify(each)}: i${at}`)
  await project.write('src/main.js', `${lines.join('\n')}\nexport const values = { ${values.join(', ')} }`)
  await bundle('rollup', project, { options: { presets: { tiny: { w: 20 } } } })
  const built = (await import(pathToFileURL(project.path('dist/main.js')).href)) as { values: Record<string, unknown> }
  for (const [name, value] of Object.entries(built.values)) results.set(name, await shown(value))
})
afterAll(() => project.dispose())

/** A photograph that names its author. */
async function credited(): Promise<Buffer> {
  const exif = { IFD0: { Copyright: 'Ada' } }
  return sharp(await photo(80, 60).png())
    .withExif(exif)
    .jpeg({ quality: 97 })
    .toBuffer()
}

describe('each directive', () => {
  it('has an import here that it changes', () => {
    expect(Object.keys(EFFECTS).toSorted()).toEqual(Object.keys(DIRECTIVES).toSorted())
  })

  it.each(Object.entries(EFFECTS))('%s changes what an import gives', (_, [image, withIt, without]) => {
    const [one, other] = [withIt, without].map((query) => results.get(specifier(image, query)))
    expect(one).toBeDefined()
    expect(one).not.toBe(other)
  })
})
