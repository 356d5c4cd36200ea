import { rm } from 'node:fs/promises'
import path from 'node:path'
import { graphic, photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const OTHER = 'f'.repeat(64)

describe('check of a lock that was edited', () => {
  it.each([['result'], ['sha256'], ['bytes']])('is content once the images were made again: %s', async (name) => {
    await folder.write({ 'src/a.jpg': await photo(200, 150).jpeg(97), 'pixpress.lock': '' })
    const compress = (): ReturnType<typeof folder.run> => folder.run(['compress', 'src', '--out', 'dist', '--quiet'])
    const rules = async (): Promise<string[]> => {
      const { stdout } = await folder.run(['check', 'src', '--min-saving', '99', '--format', 'json'])
      return (JSON.parse(stdout) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule)
    }
    await compress()
    expect(await rules()).toEqual([])
    const right = (await folder.read('pixpress.lock')).toString()
    await folder.write({
      'pixpress.lock': right.replace(
        new RegExp(`"${name}":(?:"[0-9a-f]+"|\\d+)`),
        `"${name}":${name === 'bytes' ? 5 : `"${OTHER}"`}`,
      ),
    })
    expect(await rules()).toEqual([name === 'sha256' ? 'not-locked' : 'lock-differs'])
    expect((await compress()).code).toBe(0)
    expect((await folder.read('pixpress.lock')).toString()).toBe(right)
    expect(await rules()).toEqual([])
  })
})

describe('check of what the lock says was delivered', () => {
  interface Told {
    readonly images: readonly {
      readonly source: string
      readonly why?: { readonly because: string; sentence: string }
    }[]
    readonly kept: readonly { readonly because: string; readonly images: number }[]
  }

  it('says why an image is no smaller, from the cache, and nothing where there is none', async () => {
    const small = await graphic(120, 90).png()
    await folder.write({
      'package.json': JSON.stringify({ devDependencies: { 'unplugin-pixpress': '*' } }),
      'src/a.jpg': await photo(200, 150).jpeg(97),
      'pixpress.lock': '',
      'draft/b.png': small,
    })
    await folder.run(['compress', 'draft', '--out', 'src', '--quiet'])
    await rm(path.join(folder.path, '.cache'), { recursive: true })
    await folder.run(['compress', 'src', '--out', 'dist', '--quiet'])
    const check = async (): Promise<Told> => {
      const { stdout } = await folder.run(['check', 'src', '--format', 'json'])
      return JSON.parse(stdout) as Told
    }
    for (const run of ['by the entries', 'by the index']) {
      const { images, kept } = await check()
      expect(
        images.map(({ why }) => why?.because),
        run,
      ).toEqual([undefined, 'compressed'])
      expect(images[1]!.why!.sentence, run).toContain('were reduced before')
      expect(kept, run).toEqual([expect.objectContaining({ because: 'compressed', images: 1 })])
    }
    await rm(path.join(folder.path, '.cache'), { recursive: true })
    expect((await check()).kept).toEqual([])
  })
})
