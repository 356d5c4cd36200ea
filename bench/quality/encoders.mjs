import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import initOxipng, { optimise } from '@jsquash/oxipng/codec/pkg/squoosh_oxipng.js'
import sharp from 'sharp'
import { findProgram, runForFile } from './program.mjs'

const program = (name, extension, argumentsFor) => {
  const found = findProgram(name)
  return {
    needs: name,
    missing: found === undefined,
    encode: (picture, quality) => runForFile(found, extension, (output) => argumentsFor(picture.file, output, quality)),
  }
}

/** oxipng as WebAssembly: the program is in hardly any distribution. The package's own entry asks for a browser. */
let loaded
const oxipng = () => (loaded ??= loadOxipng())

async function loadOxipng() {
  const file = new URL(import.meta.resolve('@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm'))
  await initOxipng(await readFile(file))
  return optimise
}

/**
 * Packs a PNG without loss.
 * @param level 0 to 6; 2 is the program's default, 6 what it calls `-o max`
 */
export async function packWithOxipng(png, level) {
  return (await oxipng())(png, level, false, true)
}

const own = (encode) => ({ missing: false, encode })

/**
 * The other tools, each with its best-known setting (`usual`) and, if it has a range of fixed settings, with
 * `qualities`: the lowest and the highest. `encode(picture, quality)` returns bytes.
 */
export const PEERS = [
  {
    tool: 'sharp',
    type: 'image/jpeg',
    usual: 80,
    ...own(({ png }, quality) => sharp(png).jpeg({ quality }).toBuffer()),
  },
  {
    tool: 'mozjpeg (sharp)',
    type: 'image/jpeg',
    usual: 80,
    qualities: [1, 100],
    ...own(({ png }, quality) => sharp(png).jpeg({ quality, mozjpeg: true }).toBuffer()),
  },
  {
    tool: 'vite-plugin-image-optimizer',
    type: 'image/jpeg',
    usual: 100,
    ...own(({ png }, quality) => sharp(png).jpeg({ quality }).toBuffer()),
  },
  {
    tool: 'sharp',
    type: 'image/webp',
    usual: 80,
    ...own(({ png }, quality) => sharp(png).webp({ quality }).toBuffer()),
  },
  {
    tool: 'cwebp',
    type: 'image/webp',
    usual: 80,
    qualities: [1, 100],
    ...program('cwebp', 'webp', (input, output, quality) => ['-quiet', '-q', `${quality}`, input, '-o', output]),
  },
  {
    tool: 'vite-plugin-image-optimizer',
    type: 'image/webp',
    usual: 'lossless',
    ...own(({ png }) => sharp(png).webp({ lossless: true }).toBuffer()),
  },
  {
    tool: 'sharp',
    type: 'image/avif',
    usual: 50,
    ...own(({ png }, quality) => sharp(png).avif({ quality }).toBuffer()),
  },
  {
    tool: 'avifenc',
    type: 'image/avif',
    usual: 'default',
    qualities: [1, 63],
    ...program('avifenc', 'avif', (input, output, quality) => [
      '-j',
      '1',
      // Its quantizers run the other way: 63 is the worst.
      ...(quality === 'default'
        ? []
        : ['--min', `${63 - quality}`, '--max', `${63 - quality}`, '--minalpha', '0', '--maxalpha', `${63 - quality}`]),
      input,
      output,
    ]),
  },
  {
    tool: 'vite-plugin-image-optimizer',
    type: 'image/avif',
    usual: 'lossless',
    ...own(({ png }) => sharp(png).avif({ lossless: true }).toBuffer()),
  },
  {
    tool: 'cjxl',
    type: 'image/jxl',
    usual: 'default',
    qualities: [30, 99],
    ...program('cjxl', 'jxl', (input, output, quality) => [
      input,
      output,
      '--quiet',
      '--num_threads=0',
      ...(quality === 'default' ? [] : ['-q', `${quality}`]),
    ]),
  },
  { tool: 'sharp', type: 'image/png', usual: 'default', ...own(({ png }) => sharp(png).png().toBuffer()) },
  {
    tool: 'pngquant, then optipng',
    type: 'image/png',
    usual: 'default',
    qualities: [1, 100],
    needs: 'pngquant',
    missing: findProgram('pngquant') === undefined || findProgram('optipng') === undefined,
    encode: pngquant,
    finish: optipng,
  },
  {
    tool: 'vite-plugin-image-optimizer',
    type: 'image/png',
    usual: 100,
    ...own(({ png }, quality) => sharp(png).png({ quality }).toBuffer()),
  },
]

/** Tools that pack PNG without loss, for the comparison with pixpress at a promise of 100. */
export const PACKERS = [
  { tool: 'oxipng -o 6', ...own(({ png }) => packWithOxipng(png, 6)) },
  { tool: 'optipng -o5', ...program('optipng', 'png', (input, output) => ['-quiet', '-o5', '-out', output, input]) },
]

async function pngquant({ file }, quality) {
  const range = quality === 'default' ? [] : ['--quality', `0-${quality}`]
  return runForFile(findProgram('pngquant'), 'png', (output) => [...range, '--force', '--output', output, file])
}

async function optipng(bytes) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const input = path.join(folder, 'input.png')
    await writeFile(input, bytes)
    return await runForFile(findProgram('optipng'), 'png', (output) => ['-quiet', '-o2', '-out', output, input])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
