import { fs as memory, vol } from 'memfs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { replaceFile } from '../../src/files/replace-file.ts'

vi.mock('node:fs/promises', async () => {
  const { promises } = (await import('memfs')).fs
  return { ...promises, default: promises }
})

beforeEach(() => vol.fromJSON({ '/site/a.png': 'former' }))
afterEach(() => {
  vi.restoreAllMocks()
  vol.reset()
})

const refusal = (code: string): Error => Object.assign(new Error(`${code}: refused by the file system`), { code })

describe('a file that cannot be replaced', () => {
  it.each(['EACCES', 'EROFS', 'ENOSPC'])('keeps its contents when writing is refused with %s', async (code) => {
    vi.spyOn(memory.promises, 'writeFile').mockImplementation(async (file) => {
      // A full disk takes the beginning of a file.
      if (code === 'ENOSPC') vol.writeFileSync(String(file), 'n')
      throw refusal(code)
    })
    await expect(replaceFile('/site/a.png', 'new')).rejects.toMatchObject({ code })
    expect(vol.toJSON()).toEqual({ '/site/a.png': 'former' })
  })

  it.each(['EROFS', 'EXDEV', 'EACCES'])('keeps its contents when the rename is refused with %s', async (code) => {
    vi.spyOn(memory.promises, 'rename').mockRejectedValue(refusal(code))
    await expect(replaceFile('/site/a.png', 'new')).rejects.toMatchObject({ code })
    expect(vol.toJSON()).toEqual({ '/site/a.png': 'former' })
  })

  it('fails with the first error when the temporary file cannot be removed either', async () => {
    vi.spyOn(memory.promises, 'rename').mockRejectedValue(refusal('EROFS'))
    vi.spyOn(memory.promises, 'rm').mockRejectedValue(refusal('EACCES'))
    await expect(replaceFile('/site/a.png', 'new')).rejects.toMatchObject({ code: 'EROFS' })
    expect(vol.readFileSync('/site/a.png', 'utf8')).toBe('former')
  })
})

it('makes the folders of a new file, and gives it its mode', async () => {
  await replaceFile('/site/deep/b.png', 'new', { mode: 0o640 })
  expect(vol.readFileSync('/site/deep/b.png', 'utf8')).toBe('new')
  expect(Number(vol.statSync('/site/deep/b.png').mode) & 0o777).toBe(0o640)
  expect(vol.readdirSync('/site/deep')).toEqual(['b.png'])
})
