import { FACTS } from './facts.ts'
import type { InputType } from './format-names.ts'
import type { ContentFacts } from './format-facts.ts'

/**
 * Bytes of an XML document that are looked at: declarations and licence comments can be long, an endless preamble is no
 * image.
 */
const PREAMBLE = 16_384

const READABLE = Object.values(FACTS).filter(({ readable }) => readable)

/**
 * Returns the type of an image by its content; its name plays no part. `undefined` when it is none of the known types.
 */
export function detectType(data: Uint8Array): InputType | undefined {
  return READABLE.find(({ content }) => hasContent(data, content))?.type
}

/** Tells whether bytes match a format's facts about its content. */
export function hasContent(data: Uint8Array, content: ContentFacts): boolean {
  if ('signatures' in content) {
    return content.signatures.some((parts) => parts.every(([at, part]) => stands(data, at, part)))
  }
  if ('brands' in content) {
    return stands(data, 4, 'ftyp') && brands(data).some((brand) => content.brands.includes(brand))
  }
  return hasRootElement(data, content.rootElement)
}

/** Returns the major and compatible brands of an ISO base media file (ISO/IEC 14496-12 section 4.3). */
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

function stands(data: Uint8Array, at: number, part: string | readonly number[]): boolean {
  if (data.length < at + part.length) return false
  for (let index = 0; index < part.length; index++) {
    const byte = typeof part === 'string' ? part.charCodeAt(index) : part[index]
    if (data[at + index] !== byte) return false
  }
  return true
}

function hasRootElement(data: Uint8Array, name: string): boolean {
  let text = new TextDecoder('utf-8').decode(data.subarray(0, PREAMBLE))
  for (;;) {
    text = text.trimStart()
    const skipped = /^(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>)/i.exec(text)
    if (!skipped) return new RegExp(`^<(?:[\\w-]+:)?${name}[\\s/>]`).test(text)
    text = text.slice(skipped[0].length)
  }
}
