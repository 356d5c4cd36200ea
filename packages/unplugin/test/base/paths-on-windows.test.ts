import { describe, expect, it, vi } from 'vitest'
import { devOriginalUrl } from '../../src/bundlers/vite/dev-url.ts'
import type { ViteProject } from '../../src/bundlers/vite/project.ts'
import { mirroredFolder, relativePath, relativeUrl } from '../../src/base/paths.ts'

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof import('node:path')>()
  return { ...win32, default: win32 }
})

const ROOT = String.raw`C:\site`

describe('paths of Windows', () => {
  it('become names with forward slashes, relative to the project', () => {
    expect(relativePath(ROOT, String.raw`C:\site\src\a b.png`)).toBe('src/a b.png')
    expect(relativePath(ROOT, String.raw`C:\shared\a.png`)).toBe('../shared/a.png')
    expect(relativePath(ROOT, String.raw`c:\SITE\src\a.png`)).toBe('src/a.png')
    expect(relativePath(ROOT, String.raw`C:\sites\a.png`)).toBe('../sites/a.png')
  })

  it('become URLs of stylesheets and pages', () => {
    expect(relativeUrl(ROOT, String.raw`C:\site\a b.png`)).toBe('./a%20b.png')
    expect(relativeUrl(String.raw`C:\site\css`, String.raw`C:\site\img\a.png`)).toBe('../img/a.png')
  })

  it('have folders in the cache whose names Windows takes, for another drive as well', () => {
    expect(mirroredFolder(relativePath(ROOT, String.raw`C:\shared\img`))).toBe('__/shared/img')
    expect(mirroredFolder(relativePath(ROOT, String.raw`D:\shared\img`))).toBe('__D/shared/img')
  })

  it('have URLs in which Vite finds the drive', () => {
    const project = { config: { root: ROOT, base: '/', server: {} } } as unknown as ViteProject
    expect(devOriginalUrl(project, String.raw`C:\site\src\a b.png`)).toBe('/src/a%20b.png?original')
    expect(devOriginalUrl(project, String.raw`D:\shared\a b.png`)).toBe('/@fs/D:/shared/a%20b.png?original')
    expect(devOriginalUrl(project, String.raw`C:\shared\a.png`)).toBe('/@fs/C:/shared/a.png?original')
  })
})
