import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createScanner, findImageImports, resolveImport } from '../../src/types/scan.ts'

describe('findImageImports', () => {
  it.each([
    ["import a from './a.jpg?w=1&as=img'", './a.jpg', 'w=1&as=img'],
    ['import { src } from "../b.png?w=1;2"', '../b.png', 'w=1;2'],
    ["export { default } from './c.webp?as=picture'", './c.webp', 'as=picture'],
    ["const d = await import('@/d.avif?w=3')", '@/d.avif', 'w=3'],
    ['const e = import(`./e.png?w=4`)', './e.png', 'w=4'],
    ["require('./f.gif?original')", './f.gif', 'original'],
    ["import './g.svg?url#part'\nimport h from './h.JPG?w=5'", './h.JPG', 'w=5'],
  ])('finds %s', (code, specifier, query) => {
    expect(findImageImports(code, '/x.ts')).toContainEqual(expect.objectContaining({ specifier, query }))
  })

  it.each([
    "import a from './a.jpg'",
    "const a = './a.jpg?w=1'",
    'import(`./${name}.jpg?w=1`)',
    "import a from './a.txt?w=1'",
  ])('finds nothing in %s', (code) => {
    expect(findImageImports(code, '/x.ts')).toEqual([])
  })
})

describe('createScanner', () => {
  it('reads scripts and components, none of others, and again what has changed', async () => {
    const line = "import a from './a.png?w=1'\n"
    const project = await createProject('scan', {
      files: {
        'src/a.ts': line,
        'src/b.vue': `<script setup>\n${line}</script>`,
        'src/c.d.ts': line,
        'dist/d.js': line,
        'node_modules/e/index.js': line,
      },
    })
    try {
      const scan = createScanner(project.root)
      const found = await scan()
      expect(found.map(({ importer, line: at }) => [path.relative(project.root, importer), at])).toEqual([
        [path.join('src', 'a.ts'), 1],
        [path.join('src', 'b.vue'), 2],
      ])
      await project.write('src/a.ts', `${line}import b from './b.png?w=20'\n`)
      expect((await scan()).map(({ query }) => query)).toEqual(['w=1', 'w=20', 'w=1'])
    } finally {
      await project.dispose()
    }
  })
})

describe('resolveImport', () => {
  it('follows relative paths and the usual aliases', async () => {
    const project = await createProject('resolve', {
      files: { 'src/lib/a b.png': 'x', 'public/c.png': 'x', 'src/d.png': 'x' },
    })
    try {
      const from = (specifier: string): Promise<string | undefined> =>
        resolveImport({ importer: project.path('src/main.ts'), line: 1, specifier, query: '' }, project.root)
      expect(await from('./lib/a%20b.png')).toBe(project.path('src/lib/a b.png'))
      expect(await from('$lib/a b.png')).toBe(project.path('src/lib/a b.png'))
      expect(await from('@/d.png')).toBe(project.path('src/d.png'))
      expect(await from('/src/d.png')).toBe(project.path('src/d.png'))
      expect(await from('/c.png')).toBe(project.path('public/c.png'))
      expect(await from('#own/d.png')).toBeUndefined()
    } finally {
      await project.dispose()
    }
  })
})
