import type { InputType } from './types.ts'

const ascii = (text: string): readonly number[] => Array.from(text, (character) => character.charCodeAt(0))

const PNG = [0x89, ...ascii('PNG'), 0x0d, 0x0a, 0x1a, 0x0a]
const JXL_CODESTREAM = [0xff, 0x0a]
const JXL_CONTAINER = [0, 0, 0, 0x0c, ...ascii('JXL '), 0x0d, 0x0a, 0x87, 0x0a]

/** Bytes of an SVG that are looked at: declarations and licence comments can be long, an endless preamble is no image. */
const SVG_PREAMBLE = 16_384

/** The type of an image by its content; its name plays no part. `undefined` when it is none of the known types. */
export function detectType(data: Uint8Array): InputType | undefined {
  if (startsWith(data, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(data, PNG)) return 'image/png'
  if (startsWith(data, ascii('GIF87a')) || startsWith(data, ascii('GIF89a'))) return 'image/gif'
  if (startsWith(data, ascii('RIFF')) && startsWith(data, ascii('WEBP'), 8)) return 'image/webp'
  if (startsWith(data, ascii('ftyp'), 4) && brands(data).some((brand) => brand === 'avif' || brand === 'avis'))
    return 'image/avif'
  if (startsWith(data, JXL_CODESTREAM) || startsWith(data, JXL_CONTAINER)) return 'image/jxl'
  return isSvg(data) ? 'image/svg+xml' : undefined
}

/** The major and compatible brands of an ISO base media file (ISO/IEC 14496-12 §4.3). */
export function brands(data: Uint8Array): string[] {
  if (data.length < 16) return []
  const size = new DataView(data.buffer, data.byteOffset).getUint32(0)
  const end = Math.min(size, data.length, 256)
  const found: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12) found.push(String.fromCharCode(...data.subarray(at, at + 4)))
  }
  return found
}

/** Whether a PNG is animated: an `acTL` chunk before the first `IDAT` (APNG 1.0). */
export function isAnimatedPng(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 8; at + 12 <= data.length;) {
    const name = String.fromCharCode(...data.subarray(at + 4, at + 8))
    if (name === 'acTL') return true
    if (name === 'IDAT') return false
    at += 12 + view.getUint32(at)
  }
  return false
}

function startsWith(data: Uint8Array, bytes: readonly number[], at = 0): boolean {
  return data.length >= at + bytes.length && bytes.every((byte, index) => data[at + index] === byte)
}

function isSvg(data: Uint8Array): boolean {
  let text = new TextDecoder('utf-8').decode(data.subarray(0, SVG_PREAMBLE))
  for (;;) {
    text = text.trimStart()
    const skipped = /^(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>)/i.exec(text)
    if (!skipped) return /^<(?:[\w-]+:)?svg[\s/>]/.test(text)
    text = text.slice(skipped[0].length)
  }
}
