import { readFileSync, readdirSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detectType } from '../../../src/base/detect.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { pngChunks } from '../../../src/metadata/png-chunks.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type { JobResult } from '../../../src/work/steps/job.ts'
import { readMetadata } from '../../../src/work/steps/metadata.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import { keptInput } from '../../../src/work/steps/result.ts'
import type { Operations } from '../../../src/operations/index.ts'

const METADATA = new URL('../../fixtures/metadata/', import.meta.url)
const MEANING = new URL('../../fixtures/meaning/', import.meta.url)

const ITEMS = ['copyright', 'creation', 'location'] as const

const files = readdirSync(METADATA).filter((name) => /\.(?:avif|jpg|jxl|png|webp|gif)$/.test(name))

async function kept(source: Uint8Array, operations: Operations): Promise<JobResult> {
  const type = detectType(source)!
  const job = { source, type, operations: resolveOperations(operations), limits: DEFAULT_LIMITS, file: undefined }
  return keptInput(job, await probeImage(source, type, DEFAULT_LIMITS), [])
}

/** The bytes of a PNG with its compressed texts inflated. */
function readable(png: Uint8Array): string {
  const texts = [...pngChunks(png)].filter(({ type }) => type === 'iTXt' || type === 'zTXt')
  const inflated = texts.map(({ content, contentEnd }) => {
    const body = Buffer.from(png.subarray(content, contentEnd))
    const at = body.indexOf(Buffer.from([0x78, 0xda]))
    return at < 0 ? '' : inflateSync(body.subarray(at)).toString('latin1')
  })
  return Buffer.from(png).toString('latin1') + inflated.join('')
}

describe('keptInput', () => {
  it('drops a position that stands in the same packet as the copyright', async () => {
    const source = readFileSync(new URL('gps-only-in-xmp.png', MEANING))
    expect(readable(source)).toContain('GPSLatitude')
    const { data, notes, kept: which } = await kept(source, { preserve: ['copyright'] })
    expect(which).toBe('input')
    expect(readable(data)).not.toMatch(/GPS/)
    expect(readMetadata(data, 'image/png').copyright).toEqual(readMetadata(source, 'image/png').copyright)
    expect(data.length).toBeLessThanOrEqual(source.length)
    expect(notes).toEqual([])
  })

  it.each(files.flatMap((name) => [[], ...ITEMS.map((item) => [item])].map((preserve) => [name, preserve] as const)))(
    'leaves nothing in %s but %j',
    async (name, preserve) => {
      const source = readFileSync(new URL(name, METADATA))
      const { data } = await kept(source, { preserve })
      const { type } = await probeImage(source, detectType(source)!, DEFAULT_LIMITS)
      const before = readMetadata(source, type)
      const expected = type === 'image/gif' ? [] : preserve.filter((item) => before[item] !== undefined)
      expect(Object.keys(readMetadata(data, type))).toEqual(expected)
    },
  )
})
