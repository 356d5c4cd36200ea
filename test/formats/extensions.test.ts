import { readFile } from 'node:fs/promises'
import https from 'node:https'
import path from 'node:path'
import sharp from 'sharp'
import { createOptimizer } from '@pixpress/core'
import { IMAGE_EXTENSIONS, factsOf, formatOf, typeOfExtension } from '@pixpress/core/internal'
import { createProject, detect, photo, startImageServer, naming } from '@pixpress/testkit'
import type { ImageServer, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from '../contract/build.ts'
import type { BuildResult } from '../contract/build.ts'
import { BUNDLERS } from '../contract/capabilities.ts'
import { follow } from '../contract/locate.ts'

const KEY = 'only-tests-use-this-key-extensions'
const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

const BMP = new URL('../../packages/core/test/fixtures/inputs/plain.bmp', import.meta.url)

const HEIC = new URL('../../packages/core/test/fixtures/inputs/plain.heic', import.meta.url)

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><!-- ${'a comment '.repeat(20)} --><path d="M0 0h9v9z"/></svg>`

/** Every extension that the facts of the formats know, with an image of its type that can become smaller. */
const sources: Record<string, Buffer> = {}

let project: Project
let server: ImageServer

beforeAll(async () => {
  const optimizer = createOptimizer({})
  for (const [index, extension] of IMAGE_EXTENSIONS.entries()) sources[extension] = await image(extension, index)
  await optimizer.close()
  server = await startImageServer({ key: KEY })
  project = await createProject('extensions', {
    files: {
      ...Object.fromEntries(Object.entries(sources).map(([extension, data]) => [file(extension), data])),
      'ca.pem': server.ca,
      'src/main.js': [
        ...IMAGE_EXTENSIONS.map((extension) => `import ${extension} from './images/image.${extension}'`),
        "import made from './images/image.png?w=32&format=jxl'",
        `globalThis.site = { images: { made, ${IMAGE_EXTENSIONS.join(', ')} } }`,
      ].join('\n'),
    },
  })

  async function image(extension: string, seed: number): Promise<Buffer> {
    const type = typeOfExtension(extension)!
    const picture = photo(64, 48, seed + 1)
    if (type === 'image/svg+xml') return Buffer.from(SVG)
    if (type === 'image/jpeg') return picture.jpeg(98)
    if (type === 'image/png') return picture.png()
    if (type === 'image/gif') return picture.gif()
    if (type === 'image/tiff')
      return sharp(await picture.png())
        .tiff({ compression: 'deflate' })
        .toBuffer()
    // A byte behind the pixels tells the files apart.
    if (type === 'image/bmp') return Buffer.concat([await readFile(BMP), Buffer.from([seed])])
    // So does a box of nothing for HEIC.
    if (type === 'image/heic')
      return Buffer.concat([await readFile(HEIC), Buffer.from([0, 0, 0, 9]), Buffer.from('free'), Buffer.from([seed])])
    const { data } = await optimizer.optimize(await picture.png(), { convert: { type }, quality: 95 })
    return Buffer.from(data)
  }
})
afterAll(async () => {
  await project?.dispose()
  await server?.close()
})

const file = (extension: string): string => `src/images/image.${extension}`

/** The extensions whose image came out as another one of the same type, or as it was where it cannot be smaller. */
function worked(result: (extension: string) => Buffer): string[] {
  return IMAGE_EXTENSIONS.filter((extension) => {
    const data = result(extension)
    return detect(data) === detect(sources[extension]!) && data.length <= sources[extension]!.length
  })
}

/** Those of types that a lower quality makes smaller for sure. */
const SHRINKING = IMAGE_EXTENSIONS.filter((extension) =>
  ['image/jpeg', 'image/png', 'image/svg+xml'].includes(typeOfExtension(extension)!),
)

const smaller = (result: (extension: string) => Buffer): string[] =>
  SHRINKING.filter((extension) => result(extension).length < sources[extension]!.length)

describe('an image with any extension of its type', () => {
  it.each(BUNDLERS.filter(canBuild))('is compressed by the plugin in %s', async (bundler) => {
    const built: BuildResult = await buildOrThrow(project, bundler, {})
    const { images } = await evaluate(project, built)
    const site = { files: await readOutput(project), page: undefined, values: {} }
    const named = new Set(built.report!.images.map(({ source }) => source))
    expect([...named].toSorted()).toEqual(IMAGE_EXTENSIONS.map(file).toSorted())
    expect(built.report!.failures).toEqual([])
    const found = (extension: string) => follow(images![extension] as string, site, '')
    for (const extension of IMAGE_EXTENSIONS) {
      const { url } = found(extension)
      if (url.startsWith('data:')) expect(url).toMatch(`data:${typeOfExtension(extension)}`)
      else expect(path.extname(url)).toBe(`.${extension}`)
    }
    expect(worked((extension) => found(extension).bytes)).toEqual(IMAGE_EXTENSIONS)
    expect(smaller((extension) => found(extension).bytes)).toEqual(SHRINKING)
    // Few bundlers know this type, and no source has its extension at this size.
    const made = found('made').bytes
    expect(detect(made)).toBe('jxl')
    expect(made.length).toBeLessThan(sources['png']!.length)
  })

  it.each([
    ['the command', []],
    ['the remote engine', ['--engine', 'remote']],
  ])('is compressed by %s', async (_, flags) => {
    const given = flags.map((flag) => (flag === 'remote' ? server.endpoint : flag))
    const args = [COMMAND, 'compress', 'src/images', '--out', 'out', '--json', '--cache-dir', 'cache', ...given]
    const env = { PIXPRESS_KEY: KEY, NODE_EXTRA_CA_CERTS: project.path('ca.pem') }
    await project.remove('out')
    const { code, stdout, stderr } = await project.exec(process.execPath, { args, env })
    expect(code, stderr).toBe(0)
    const { images } = JSON.parse(stdout) as { images: { source: string }[] }
    expect(images.map(({ source }) => path.posix.basename(source)).toSorted()).toEqual(
      IMAGE_EXTENSIONS.map((extension) => `image.${extension}`).toSorted(),
    )
    const results: Record<string, Buffer> = {}
    for (const extension of IMAGE_EXTENSIONS) results[extension] = await project.read(`out/image.${extension}`)
    expect(worked((extension) => results[extension]!)).toEqual(IMAGE_EXTENSIONS)
    expect(smaller((extension) => results[extension]!)).toEqual(SHRINKING)
  })

  it('is known to the server by its content: taken where its type can be written, else refused by name', async () => {
    for (const extension of IMAGE_EXTENSIONS) {
      const type = typeOfExtension(extension)!
      const { status, type: answered, message } = await shrink(sources[extension]!)
      expect([extension, status], message).toEqual([extension, factsOf(type).writable ? 201 : 415])
      if (status === 201) expect(answered).toBe(type)
      else expect(message).toEqual(naming(type))
    }
  })

  it('has the format that the independent decoder finds', () => {
    for (const extension of IMAGE_EXTENSIONS) {
      const type = typeOfExtension(extension)!
      expect(factsOf(type).extensions).toContain(extension)
      expect([extension, detect(sources[extension]!)]).toEqual([extension, formatOf(type)])
    }
  })
})

/** `POST /shrink` with nothing but bytes. */
function shrink(data: Buffer): Promise<{ status: number; type: string; message: string }> {
  return new Promise((resolve, reject) => {
    const request = https.request(
      `${server.endpoint}/shrink`,
      { method: 'POST', auth: `api:${KEY}`, ca: server.ca },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => void parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const message = Buffer.concat(parts).toString()
          const { output } = JSON.parse(message) as { output?: { type: string } }
          resolve({ status: response.statusCode ?? 0, type: output?.type ?? '', message })
        })
      },
    )
    request.on('error', reject)
    request.end(data)
  })
}
