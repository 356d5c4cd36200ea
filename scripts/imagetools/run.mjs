/** Builds one import with a plugin of Vite, and reads what the module exports and the images that it names. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const core = createRequire(new URL('../../packages/core/package.json', import.meta.url))
const { default: sharp } = await import(pathToFileURL(core.resolve('sharp')).href)
const { build } = await import(
  pathToFileURL(createRequire(new URL('../../test/package.json', import.meta.url)).resolve('vite')).href
)

/** Pictures by name: their width, height and channels. */
const SOURCES = { photo: [120, 90, 3], clear: [120, 90, 4], middle: [320, 240, 3] }

/** Soft waves with grain and a bright spot off the centre, opaque and with transparency, and a larger one. */
export async function writeSources(folder) {
  let state = 1
  const grain = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5) * 50
  for (const [name, [width, height, channels]] of Object.entries(SOURCES)) {
    const data = Buffer.alloc(width * height * channels)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const wave = Math.sin(x / 13) + Math.cos(y / 9)
        const spot = Math.hypot(x - 90, y - 30) < 14 ? 90 : 0
        const at = (y * width + x) * channels
        const light = grain()
        for (let channel = 0; channel < 3; channel++)
          data[at + channel] = Math.max(
            0,
            Math.min(255, 110 + light + wave * 40 + channel * 18 + (channel === 0 ? spot : 0)),
          )
        if (channels === 4) data[at + 3] = x < 40 ? 0 : 255
      }
    }
    await mkdir(folder, { recursive: true })
    await sharp(data, { raw: { width, height, channels } })
      .png()
      .toFile(path.join(folder, `${name}.png`))
  }
}

/** @returns what the module's default export is, and its images; or the error of the build, one line */
export async function run(root, query, source, plugin) {
  const entry = path.join(root, 'entry.js')
  await writeFile(entry, `import * as given from './${source}.png?${query}'\nglobalThis.given = { ...given }\n`)
  try {
    const [output] = [
      await build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [plugin],
        build: {
          write: false,
          minify: false,
          assetsInlineLimit: 0,
          modulePreload: false,
          rollupOptions: { input: entry },
        },
      }),
    ].flat()
    const chunk = output.output.find(({ type }) => type === 'chunk')
    globalThis.given = undefined
    await import(`data:text/javascript,${encodeURIComponent(`${chunk.code}\n//${Math.random()}`)}`)
    const { default: value } = globalThis.given
    const files = new Map(output.output.map(({ fileName, source: bytes }) => [fileName, bytes]))
    const urls = JSON.stringify(value).match(/\/assets\/[^"\s,]+|data:image\/[a-z]+;base64,[^"\s,]+/g) ?? []
    const images = [...new Set(urls)].map((url) =>
      url.startsWith('data:') ? Buffer.from(url.replace(/^.*base64,/, ''), 'base64') : files.get(url.slice(1)),
    )
    return { value, images: await Promise.all(images.map(decode)) }
  } catch (error) {
    return {
      error:
        String(error.message)
          .split('\n')
          .find((line) => /Error|Expected|Directive|Unknown/.test(line)) ?? String(error.message),
    }
  }
}

async function decode(bytes) {
  const image = sharp(bytes)
  const { format, hasAlpha } = await image.metadata().catch(() => ({}))
  // JPEG XL, which sharp's own libvips does not read.
  if (format === undefined) return { format: 'jxl', width: 0, height: 0, data: Buffer.alloc(0) }
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { format, hasAlpha, width: info.width, height: info.height, data }
}

/** Mean difference of samples above which two images do not show the same: what encoders leave is below 3. */
const MOST_DIFFERENCE = 6

const size = ({ width, height, format }) => `${width}×${height} ${format}`

/** Describes the difference between two runs in a sentence; nothing where they are alike. */
export function difference(theirs, ours) {
  if (theirs.error !== undefined || ours.error !== undefined)
    return theirs.error === undefined ? `refused: ${ours.error}` : 'imagetools fails'
  if (shapeOf(theirs.value) !== shapeOf(ours.value))
    return `another shape: ${shapeOf(theirs.value)}, here ${shapeOf(ours.value)}`
  if (theirs.images.length !== ours.images.length) return `${theirs.images.length} images, here ${ours.images.length}`
  for (const [index, one] of theirs.images.entries()) {
    const other = ours.images[index]
    if (size(one) !== size(other)) return `${size(one)}, here ${size(other)}`
    let sum = 0
    for (let at = 0; at < one.data.length; at++) {
      const alphas = at - (at % 4) + 3
      const shown = at % 4 === 3 ? 1 : Math.max(one.data[alphas], other.data[alphas]) / 255
      sum += Math.abs(one.data[at] - other.data[at]) * shown
    }
    if (sum / one.data.length > MOST_DIFFERENCE) return `other pixels, by ${(sum / one.data.length).toFixed(1)} of 255`
  }
  return undefined
}

/** Fields of imagetools' metadata that its documentation promises. */
const PROMISED = [
  'src',
  'width',
  'height',
  'format',
  'space',
  'channels',
  'depth',
  'hasAlpha',
  'hasProfile',
  'isProgressive',
]

function shapeOf(value) {
  if (typeof value === 'string')
    return /\s\d+(?:\.\d+)?[wx](?:,|$)/.test(value) ? value.replace(/\S*\/assets\/\S+/g, 'URL') : 'URL'
  if (Array.isArray(value)) return `[${value.map(shapeOf).join(', ')}]`
  const isMetadata = 'space' in value
  const keys = isMetadata ? PROMISED.filter((key) => key in value) : Object.keys(value)
  return `{ ${keys
    .map((key) => (typeof value[key] === 'object' ? `${key}: ${shapeOf(value[key])}` : key))
    .toSorted()
    .join(', ')} }`
}
