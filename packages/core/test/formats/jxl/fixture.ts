import { readFileSync } from 'node:fs'

/** A file of the JPEG XL fixtures. */
export function jxlFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../fixtures/jxl/${name}.jxl`, import.meta.url)))
}
