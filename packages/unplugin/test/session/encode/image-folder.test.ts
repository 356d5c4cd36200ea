import { fs as memory, vol } from 'memfs'
import { naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createImageFolder } from '../../../src/session/encode/image-folder.ts'

vi.mock('node:fs', async () => ({ ...(await import('memfs')).fs, default: (await import('memfs')).fs }))
vi.mock('node:fs/promises', async () => {
  const { promises } = (await import('memfs')).fs
  return { ...promises, default: promises }
})

const HOUR = 3_600_000

beforeEach(() => vol.fromJSON({ '/cache/.keep': '' }))
afterEach(() => {
  vi.restoreAllMocks()
  vol.reset()
})

const refusal = (code: string): Error => Object.assign(new Error(`${code}: refused by the file system`), { code })
const files = (): string[] => Object.keys(vol.toJSON('/cache', undefined, true))

describe('a finished image in the folder', () => {
  it('is written below its identity, and left alone while it is the same', async () => {
    const folder = createImageFolder('/cache/files')
    const file = await folder.write('0123456789abcdef', 'src/a.webp', Buffer.from('one'))
    expect(file).toBe('/cache/files/0123456789abcdef/src/a.webp')
    const { mtimeMs } = vol.statSync(file)
    expect(await folder.write('0123456789abcdef', 'src/a.webp', Buffer.from('one'))).toBe(file)
    expect(vol.statSync(file).mtimeMs).toBe(mtimeMs)
    await folder.write('0123456789abcdef', 'src/a.webp', Buffer.from('two'))
    expect(vol.readFileSync(file, 'utf8')).toBe('two')
  })

  it.each(['EACCES', 'ENOSPC', 'EROFS'])('is refused with %s, and nothing half-written stays', async (code) => {
    const write = vi.spyOn(memory.promises, 'writeFile').mockImplementation(async (file) => {
      // A full disk takes the beginning of a file.
      if (code === 'ENOSPC') vol.writeFileSync(String(file), 'o')
      throw refusal(code)
    })
    const folder = createImageFolder('/cache/files')
    vol.mkdirSync('/cache/files/0123456789abcdef', { recursive: true })
    const written = folder.write('0123456789abcdef', 'a.webp', Buffer.from('one'))
    await expect(written).rejects.toMatchObject({
      code: 'IO_FAILED',
      message: naming("'/cache/files'", code),
    })
    expect(write).toHaveBeenCalled()
    expect(files().filter((name) => name.includes('a.webp'))).toEqual([])
  })
})

describe('sweeping', () => {
  it('removes what was used least recently, and nothing of the last two hours', async () => {
    const folder = createImageFolder('/cache/files')
    for (const [id, age] of [
      ['a'.repeat(16), 5],
      ['b'.repeat(16), 3],
      ['c'.repeat(16), 0],
    ] as const) {
      await folder.write(id, 'a.webp', Buffer.alloc(100))
      const used = new Date(Date.now() - age * HOUR)
      vol.utimesSync(`/cache/files/${id}`, used, used)
    }
    await folder.sweep(250)
    expect(vol.readdirSync('/cache/files')).toEqual(['b'.repeat(16), 'c'.repeat(16)])
    await folder.write('d'.repeat(16), 'a.webp', Buffer.alloc(100))
    await folder.sweep(1)
    expect(vol.readdirSync('/cache/files')).toEqual(['c'.repeat(16), 'd'.repeat(16)])
  })
})
