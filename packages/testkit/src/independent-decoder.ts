import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { detect } from './decode.ts'
import type { ImageFormat } from './decode.ts'
import { findTool, missingTool } from './tools.ts'
import type { ImageProgram } from './tools.ts'

const run = promisify(execFile)

/** Milliseconds after which a program is taken to hang. */
const TIMEOUT = 240_000

/** Pixels that a decoder of other authors has read. */
export interface IndependentPicture {
  readonly width: number
  readonly height: number
  /** RGBA, 8 bits, sRGB. */
  readonly pixels: Buffer
}

/** The program that reads each format, or, of PNG, checks every chunk and the whole stream. */
export const DECODERS = {
  jpeg: 'djpeg',
  png: 'pngcheck',
  webp: 'dwebp',
  avif: 'avifdec',
  jxl: 'djxl',
} as const satisfies Partial<Record<ImageFormat, ImageProgram>>

/** A format that a program of other authors decodes. */
export type DecodableFormat = keyof typeof DECODERS

const ARGUMENTS: Readonly<Record<Exclude<DecodableFormat, 'png'>, (input: string, output: string) => string[]>> = {
  jpeg: (input, output) => ['-pnm', '-outfile', output, input],
  webp: (input, output) => [input, '-quiet', '-o', output],
  avif: (input, output) => [input, output],
  jxl: (input, output) => [input, output],
}

/**
 * Decodes a still image with a program that shares no code with sharp's call path: djpeg, dwebp, avifdec or djxl. A PNG
 * is checked by pngcheck and read by sharp. A colour profile that the program leaves out is applied.
 * @throws Error with the program's own words when it refuses the bytes, or when it is not installed
 */
export async function decodeIndependently(bytes: Uint8Array): Promise<IndependentPicture> {
  const format = detect(bytes)
  if (format === undefined || !(format in DECODERS)) throw new Error(`No program decodes ${format ?? 'these bytes'}.`)
  const decodable = format as DecodableFormat
  const tool = DECODERS[decodable]
  const program = findTool(tool)
  if (program === undefined) throw new Error(missingTool(tool))
  return inFolder(async (folder) => {
    const input = path.join(folder, `input.${format}`)
    await writeFile(input, bytes)
    if (decodable === 'png') {
      await execute(program, ['-q', input])
      return toPixels(Buffer.from(bytes))
    }
    const output = path.join(folder, decodable === 'jpeg' ? 'output.pnm' : 'output.png')
    await execute(program, ARGUMENTS[decodable](input, output))
    const decoded = decodable === 'jpeg' ? await readPnm(await readFile(output)) : await readFile(output)
    if (decodable === 'jxl') return toPixels(decoded)
    // avifdec hands an ICC profile on, but no code points.
    if (decodable === 'avif') {
      return toPixels((await isDisplayP3(program, input)) ? withProfile(decoded, await displayP3()) : decoded)
    }
    const { icc, orientation = 1 } = await sharp(bytes).metadata()
    // Browsers turn JPEG by its EXIF, and WebP by nothing.
    const turned = decodable === 'jpeg' ? sharp(decoded).withMetadata({ orientation }) : sharp(decoded)
    const png = await turned.png().toBuffer()
    return toPixels(icc === undefined ? png : withProfile(png, icc))
  })
}

/**
 * Holds an animation's structure against the format's rules, by a program of other authors: webpinfo for WebP, pngcheck
 * for APNG.
 * @throws Error with the program's own words
 */
export async function checkStructure(bytes: Uint8Array): Promise<void> {
  const format = detect(bytes)
  if (format !== 'webp' && format !== 'png') throw new Error(`No program checks ${format ?? 'these bytes'}.`)
  const tool = format === 'webp' ? 'webpinfo' : 'pngcheck'
  const program = findTool(tool)
  if (program === undefined) throw new Error(missingTool(tool))
  await inFolder(async (folder) => {
    const input = path.join(folder, `input.${format}`)
    await writeFile(input, bytes)
    await execute(program, [format === 'webp' ? '-quiet' : '-q', input])
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function execute(program: string, args: readonly string[]): Promise<void> {
  await run(program, args, { timeout: TIMEOUT, killSignal: 'SIGKILL' }).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const words = `${stderr}${stdout}`.trim().split('\n').slice(0, 3).join(' ')
    throw new Error(`${path.basename(program)} refuses the file: ${words || String(error)}`, { cause: error })
  })
}

/** Tells whether an AVIF's code points (ITU-T H.273, table 2) say Display P3; otherwise it must be sRGB. */
async function isDisplayP3(avifdec: string, file: string): Promise<boolean> {
  const { stdout } = await run(avifdec, ['--info', file], { timeout: TIMEOUT, killSignal: 'SIGKILL' })
  return /Color Primaries\s*: 12\b/.test(stdout) && /ICC Profile\s*: Absent/.test(stdout)
}

/** Returns libvips' own profile. */
async function displayP3(): Promise<Buffer> {
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: 'white' } })
  const { icc } = await sharp(await dot.withIccProfile('p3').png().toBuffer()).metadata()
  if (icc === undefined) throw new Error('sharp has written a PNG without the profile that was asked for.')
  return icc
}

/** The step of 16-bit samples between two neighbouring values of 8 bits. */
const STEP = 257

/** Returns the pixels of a file that sharp reads, each of 16 bits rounded to the nearest of 8. */
export async function toPixels(encoded: Uint8Array): Promise<IndependentPicture> {
  const image = sharp(encoded, { limitInputPixels: false })
  const { depth, hasProfile, format } = await image.metadata()
  const deep = depth === 'ushort'
  // libvips converts 16 bits with a profile to Display P3 unless sRGB is to be written. A picture without a profile
  // must not pass for P3.
  if (deep && hasProfile) image.withIccProfile('srgb', { attach: false })
  // Browsers ignore the orientation of WebP.
  const { data, info } = await (format === 'webp' ? image : image.autoOrient())
    .toColourspace(deep ? 'rgb16' : 'srgb')
    .ensureAlpha()
    .raw({ depth: deep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  if (!deep) return { width, height, pixels: data }
  const words = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return { width, height, pixels: Buffer.from(words.map((word) => Math.round(word / STEP))) }
}

/** Converts a binary PGM or PPM of 8 bits to PNG: sharp's prebuilt library does not read the former. */
function readPnm(pnm: Buffer): Promise<Buffer> {
  const header = /^P([56])\s+(\d+)\s+(\d+)\s+255\s/.exec(pnm.subarray(0, 64).toString('latin1'))
  if (header === null) throw new Error('djpeg has written something other than a PNM of 8 bits.')
  const [head, kind, width, height] = header
  const raw = { width: Number(width), height: Number(height), channels: kind === '5' ? 1 : 3 } as const
  return sharp(pnm.subarray(head.length), { raw }).png().toBuffer()
}

/** Bytes of a PNG's signature and `IHDR`, which everything else comes behind. */
const PNG_HEAD = 33

/** Makes a PNG with an `iCCP` chunk (PNG 3, section 11.3.2.3). */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, PNG_HEAD), length, body, check, png.subarray(PNG_HEAD)])
}

/** Computes the CRC-32 of PNG chunks (PNG 3, annex D); zlib's own is not in every supported Node. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}
