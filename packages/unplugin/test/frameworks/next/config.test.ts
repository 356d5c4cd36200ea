import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { settingsFile, withPixpress } from '../../../src/frameworks/next/config.ts'
import loader from '../../../src/frameworks/next/loader.ts'
import type { NextConfig } from '../../../src/frameworks/next/next-config.ts'

const contentOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** Gives what a configuration leaves for `pixpress-next`, and puts back what was there. */
function settingsOf(configure: () => unknown): unknown {
  const file = settingsFile(process.cwd())
  const before = contentOf(file)
  configure()
  const written = readFileSync(file, 'utf8')
  if (before === undefined) rmSync(file)
  else writeFileSync(file, before)
  return JSON.parse(written)
}

/** Gives what a configuration does to webpack's. */
function plugins(config: NextConfig): unknown[] {
  const compiler = { plugins: [] as unknown[] }
  config.webpack?.(compiler as never, {} as never)
  return compiler.plugins
}

describe('withPixpress', () => {
  it('adds the plugin, lets Turbopack build, and keeps what was configured', () => {
    const called: unknown[] = []
    const config = withPixpress<NextConfig>({ distDir: 'x', webpack: (compiler) => (called.push(compiler), compiler) })
    expect(plugins(config)).toHaveLength(1)
    expect(called).toHaveLength(1)
    expect(config).toMatchObject({ distDir: 'x', turbopack: {} })
    expect(config.images).toBeUndefined()
  })

  it.each([
    ['15.2.9', []],
    ['15.3.0', ['turbopack']],
  ])('gives Next.js %s no key that it does not know', (version, keys) => {
    const root = mkdtempSync(path.join(tmpdir(), 'pixpress-next-'))
    const folder = path.join(root, 'node_modules', 'next')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(root, 'package.json'), '{}')
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'next', version }))
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(root)
    try {
      expect(Object.keys(withPixpress<NextConfig>({})).filter((key) => key !== 'webpack')).toEqual(keys)
    } finally {
      cwd.mockRestore()
      rmSync(root, { recursive: true })
    }
  })

  it('gives an exported site a loader, unless it has one or wants none', () => {
    expect(withPixpress<NextConfig>({ output: 'export' }).images).toMatchObject({
      loader: 'custom',
      loaderFile: expect.stringMatching(/loader\.ts$/),
    })
    for (const images of [{ unoptimized: true }, { loader: 'custom', loaderFile: './mine.js' }]) {
      expect(withPixpress<NextConfig>({ output: 'export', images }).images).toEqual(images)
    }
  })

  it.each([
    [{}, 'out'],
    [{ distDir: '.next' }, 'out'],
    [{ distDir: 'site' }, 'site'],
  ])('tells pixpress-next where Next.js exports to with %j', (given, out) => {
    expect(settingsOf(() => withPixpress<NextConfig>({ output: 'export', ...given }))).toMatchObject({ out })
  })

  it('leaves no credential and no signing key in what pixpress-next reads', () => {
    const remote = {
      service: 'http',
      endpoint: 'https://images.example.com/cache',
      key: 'api-key-that-nobody-may-see',
      signingKey: 'signing-key-that-nobody-may-see-either',
    } as const
    const settings = settingsOf(() =>
      withPixpress<NextConfig>({ output: 'export' }, { cache: { dir: 'results', remote, mode: 'read' } }),
    )
    expect(JSON.stringify(settings)).not.toContain('nobody-may-see')
    expect(settings).toMatchObject({ options: { cache: { dir: 'results' } } })
    expect(JSON.stringify(settings)).not.toContain('"mode"')
  })

  it('refuses a wrong option with the right one', () => {
    expect(() => withPixpress({}, { qualty: 70 } as object)).toThrow(/quality/)
  })
})

describe('the loader', () => {
  it('leaves vectors and what is elsewhere alone, and gives dev servers the image itself', () => {
    expect(loader({ src: '/a.svg', width: 64 })).toBe('/a.svg')
    expect(loader({ src: 'https://example.com/a.png', width: 64 })).toBe('https://example.com/a.png')
    expect(loader({ src: '//example.com/a.png', width: 64 })).toBe('//example.com/a.png')
    expect(loader({ src: '/a.png', width: 64 })).toBe('/a.png?w=64')
  })
})
