import { detectType } from '@pixpress/core'
import { ssimulacra2 } from '@pixpress/core/metric'
import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { decodePixels } from './pictures.mjs'
import { findProgram, runForFile } from './program.mjs'

/** Returns `true` if libjxl's own program is installed, which decodes JPEG XL because sharp cannot. */
export const canScoreJxl = () => findProgram('djxl') !== undefined

/** SSIMULACRA2 of encoded bytes against the picture they were made from. */
export async function scoreOf(bytes, picture) {
  const png = detectType(bytes) === 'image/jxl' ? await djxl(bytes) : bytes
  return ssimulacra2(picture.pixels, await decodePixels(png))
}

async function djxl(bytes) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const input = path.join(folder, 'input.jxl')
    await writeFile(input, bytes)
    return await runForFile(findProgram('djxl'), 'png', (output) => [input, output, '--quiet'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
