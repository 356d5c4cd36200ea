import { describe, expect, it } from 'vitest'
import { defaultDirectivesFor, resolveDefaultDirectives } from '../../src/directives/default-directives.ts'
import type { DefaultDirectives } from '../../src/directives/default-directives.ts'
import { resolvePresets } from '../../src/directives/presets.ts'
import { parseQuery } from '../../src/directives/query.ts'
import { resolveDirectives } from '../../src/directives/resolve.ts'
import type { DirectiveSource } from '../../src/directives/rows.ts'

const source: DirectiveSource = { width: 1000, height: 800, type: 'image/jpeg', hasAlpha: false }
const presets = resolvePresets({ hero: { format: 'avif' } })

async function resolve(text: string, defaults: DefaultDirectives): Promise<unknown> {
  const query = parseQuery(text)
  const fallback = await defaultDirectivesFor(query, '/site/hero.jpg', defaults, () => Promise.resolve(source))
  const { variants, output } = resolveDirectives(query, { presets, source, fallback, file: 'hero.jpg' })
  return [...variants.map(({ operations }) => operations), output.as]
}

const half: DefaultDirectives = async (url, metadata) => {
  const { width } = await metadata()
  return url.pathname.endsWith('/hero.jpg') && !url.searchParams.has('w') ? { w: width / 2 } : undefined
}

describe('default directives', () => {
  const webp = { convert: { type: 'image/webp' } }
  const scaled = { resize: { method: 'scale', width: 300 } }

  it.each<[string, DefaultDirectives]>([
    ['an object', { format: 'webp', as: 'srcset' }],
    ['URLSearchParams', new URLSearchParams('format=webp&as=srcset')],
    ['a function', () => ({ format: 'webp', as: 'srcset' })],
    ['a function that waits', () => Promise.resolve(new URLSearchParams('format=webp&srcset'))],
  ])('are what the query does not say, as %s', async (_, defaults) => {
    expect(await resolve('?w=300', defaults)).toEqual([{ ...scaled, ...webp }, 'srcset'])
    expect(await resolve('?format=png;avif&as=url', defaults)).toEqual([
      { convert: { type: 'image/png' } },
      { convert: { type: 'image/avif' } },
      'url',
    ])
  })

  it('give way to a preset', async () => {
    expect(await resolve('?preset=hero', { format: 'webp', w: 300 })).toEqual([
      { ...scaled, convert: { type: 'image/avif' } },
      'url',
    ])
  })

  it('are made from the URL and the header', async () => {
    expect(await resolve('?format=webp', half)).toEqual([{ ...webp, resize: { method: 'scale', width: 500 } }, 'url'])
    expect(await resolve('?w=300', half)).toEqual([scaled, 'url'])
  })

  it('see words of the project, but none of the bundler', async () => {
    const seen: string[] = []
    const note = (url: URL): undefined => void seen.push(url.search)
    for (const text of ['?card&t=1700000000000&import', '?contain&w=3&v=1', ''])
      await defaultDirectivesFor(parseQuery(text), '/site/hero.jpg', note, () => Promise.resolve(source))
    expect(seen).toEqual(['?card=', '?contain=&w=3', ''])
  })

  it('are refused where they are none', async () => {
    expect(() => resolveDefaultDirectives({ card: true })).toThrow(/Expected directives for 'defaultDirectives'/)
    await expect(resolve('?w=300', { wdith: 5, format: 'webp' })).rejects.toThrow(
      "Unknown option 'defaultDirectives.wdith'. Did you mean 'w'?",
    )
  })
})
