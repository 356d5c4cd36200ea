import { decode } from '@pixpress/testkit'
import type { ImageFormat } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { follow } from './locate.ts'
import type { BuiltSite } from './locate.ts'

/**
 * Imports with directives give imagetools' shapes (its docs/directives.md), and each URL in them leads to an image of
 * the size and type that it is described with.
 */
export function describeDirectives(site: () => BuiltSite): void {
  const value = (name: string): unknown => site().values['js-directives']?.[name]
  const image = async (url: unknown): Promise<{ type: ImageFormat; width: number; height: number }> => {
    expect(url).toBeTypeOf('string')
    const { type, width, height } = await decode(follow(url as string, site(), '').bytes)
    return { type, width, height }
  }

  describe('directive imports', () => {
    it('resize to a URL', async () => {
      const small = await image(value('url'))
      expect(small).toMatchObject({ width: 120, height: 80 })
      expect(['jpeg', 'webp']).toContain(small.type)
    })

    it('give a srcset with widths', async () => {
      const [small, large, ...more] = candidates(value('srcset'))
      expect([small!.descriptor, large!.descriptor, more]).toEqual(['80w', '160w', []])
      expect(await image(small!.url)).toMatchObject({ type: 'webp', width: 80 })
      expect(await image(large!.url)).toMatchObject({ type: 'webp', width: 160 })
    })

    it('give a srcset with densities', async () => {
      const [small, large] = candidates(value('density'))
      expect([small!.descriptor, large!.descriptor]).toEqual(['1x', '2x'])
      expect(await image(large!.url)).toMatchObject({ width: 160 })
    })

    it('give an img', async () => {
      const img = value('img') as { src: string; w: number; h: number; srcset: string }
      expect(img).toEqual({ src: img.src, w: 160, h: 107, srcset: img.srcset })
      expect(await image(img.src)).toMatchObject({ width: 160, height: 107 })
      expect(candidates(img.srcset).map(({ descriptor }) => descriptor)).toEqual(['80w', '160w'])
    })

    it('give a picture', async () => {
      const picture = value('picture') as {
        sources: Record<string, string>
        img: { src: string; w: number; h: number }
      }
      expect(Object.keys(picture)).toEqual(['sources', 'img'])
      // A type that is no smaller than a later one is not offered.
      const formats = Object.keys(picture.sources)
      expect(formats).toEqual(['avif', 'webp', 'jpeg'].filter((format) => formats.includes(format)))
      expect(formats).toContain('jpeg')
      for (const [format, srcset] of Object.entries(picture.sources)) {
        const [small, large] = candidates(srcset)
        expect(await image(small!.url)).toMatchObject({ type: format, width: 80 })
        expect(await image(large!.url)).toMatchObject({ type: format, width: 160 })
      }
      expect(picture.img).toEqual({ src: picture.img.src, w: 160, h: 107 })
      expect(await image(picture.img.src)).toEqual({ type: 'jpeg', width: 160, height: 107 })
    })

    it('give metadata', async () => {
      const metadata = value('metadata') as { src: string; format: string; size: number; width: number; height: number }
      const { type, width, height } = await image(metadata.src)
      const size = follow(metadata.src, site(), '').bytes.length
      const described = { space: 'srgb', depth: 'uchar', hasAlpha: true, isProgressive: false }
      expect(metadata).toMatchObject({ format: type, size, width, height, ...described, src: metadata.src })
      expect(width).toBe(100)
    })

    it('crop', async () => {
      const { src, width, height } = value('crop') as { src: string; width: number; height: number }
      expect([width, height]).toEqual([60, 60])
      expect(await image(src)).toMatchObject({ width: 60, height: 60 })
    })

    it('take presets', async () => {
      expect(await image(value('preset'))).toMatchObject({ type: 'webp', width: 90, height: 60 })
    })

    it('export members by name', async () => {
      expect(value('namedWidth')).toBe(160)
      expect(await image(value('namedSrc'))).toMatchObject({ type: 'webp', width: 160 })
    })
  })
}

function candidates(srcset: unknown): { url: string; descriptor: string }[] {
  expect(srcset).toBeTypeOf('string')
  return (srcset as string).split(', ').map((candidate) => {
    const [url = '', descriptor = ''] = candidate.split(' ')
    return { url, descriptor }
  })
}
