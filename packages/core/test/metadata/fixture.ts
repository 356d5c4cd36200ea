import { readFileSync } from 'node:fs'
import type { InputType } from '../../src/base/types.ts'

const TYPES: Readonly<Record<string, InputType>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jxl: 'image/jxl',
  png: 'image/png',
  webp: 'image/webp',
}

/** A file of the metadata fixtures. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/metadata/${name}`, import.meta.url)))
}

/** The type of a fixture, by its extension. */
export function typeOf(name: string): InputType {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new Error(`No type for ${name}`)
  return type
}
