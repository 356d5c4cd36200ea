import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'
import type { CompilerLike } from '../../../src/bundlers/webpack-like/compiler.ts'
import { compilerFiles } from '../../../src/bundlers/webpack-like/compiler-files.ts'
import { isFile } from '../../../src/base/files.ts'

const memory = createFsFromVolume(Volume.fromJSON({ '/site/a.png': 'one', '/site/b.png': 'two' }))
const compiler = { inputFileSystem: memory } as unknown as CompilerLike & { inputFileSystem: unknown }

describe('the files of a compiler', () => {
  it('are those of its input file system', async () => {
    const files = compilerFiles(compiler)
    expect((await files.readFile('/site/a.png')).toString()).toBe('one')
    expect([...(await files.readdir('/site'))].sort()).toEqual(['a.png', 'b.png'])
    expect(await files.stat('/site/a.png')).toMatchObject({ size: 3 })
    expect([await isFile(files, '/site/a.png'), await isFile(files, '/site')]).toEqual([true, false])
  })

  it('are missing without an error where they are looked up, and with one where they are read', async () => {
    const files = compilerFiles(compiler)
    expect(await files.stat('/site/c.png')).toBeUndefined()
    await expect(files.readFile('/site/c.png')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(files.readdir('/nowhere')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('follow a file system that is replaced later', async () => {
    const late = { inputFileSystem: undefined as unknown } as unknown as {
      -readonly [K in keyof CompilerLike]: CompilerLike[K]
    }
    const files = compilerFiles(late)
    late.inputFileSystem = memory
    expect((await files.readFile('/site/b.png')).toString()).toBe('two')
  })
})
