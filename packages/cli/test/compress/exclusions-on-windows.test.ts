import { describe, expect, it, vi } from 'vitest'
import { createExclusion } from '../../src/compress/exclusions.ts'

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof import('node:path')>()
  return { ...win32, default: win32 }
})

const CWD = String.raw`C:\site`

describe('createExclusion on Windows', () => {
  it('leaves out files by a name, a path and an absolute folder', () => {
    const isExcluded = createExclusion(['drafts', 'src/old/*.png', String.raw`C:\site\public\raw`], CWD)
    expect(isExcluded(String.raw`C:\site\a\drafts\b.png`)).toBe(true)
    expect(isExcluded(String.raw`C:\site\src\old\b.png`)).toBe(true)
    expect(isExcluded(String.raw`C:\site\public\raw\deep\b.png`)).toBe(true)
    expect(isExcluded(String.raw`C:\site\public\b.png`)).toBe(false)
  })

  it('leaves out a folder of another drive', () => {
    const isExcluded = createExclusion([String.raw`D:\shared`], CWD)
    expect(isExcluded(String.raw`D:\shared\b.png`)).toBe(true)
    expect(isExcluded(String.raw`D:\other\b.png`)).toBe(false)
  })
})
