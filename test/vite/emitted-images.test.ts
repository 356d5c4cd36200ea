import { createProject, detect, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject } from './build.ts'
import type { BuildOutcome } from './build.ts'

/** Source text of a plugin that emits images in every way that there is, and shows one of them by its reference. */
const EMITTING = `{
  name: 'theirs',
  buildStart() {
    for (const file of ['src/plain.jpg', 'src/kept.jpg', 'src/left.jpg', 'src/both.jpg']) {
      this.emitFile({ type: 'asset', name: file.slice(4), originalFileName: file, source: readFileSync(file) })
    }
    this.emitFile({ type: 'asset', name: 'notes.txt', source: 'text' })
  },
  resolveId: (id) => (id === 'virtual:card' ? id : null),
  load(id) {
    if (id !== 'virtual:card') return null
    const reference = this.emitFile({ type: 'asset', name: 'card.png', source: readFileSync('made/card.png') })
    return 'export default import.meta.ROLLUP_FILE_URL_' + reference
  },
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'fixed/badge.png', source: readFileSync('made/badge.png') })
    this.emitFile({ type: 'asset', name: 'late.svg', source: '<svg xmlns="http://www.w3.org/2000/svg">  <!-- a --> </svg>' })
  },
}`

/** The project's files by their names in the output. */
const SOURCES: Readonly<Record<string, string>> = {
  'plain.jpg': 'src/plain.jpg',
  'kept.jpg': 'src/kept.jpg',
  'left.jpg': 'src/left.jpg',
  'both.jpg': 'src/both.jpg',
  'card.png': 'made/card.png',
  'badge.png': 'made/badge.png',
}

describe.each(NEWEST_AND_OLDEST)('images that another plugin emits, %s', (vite) => {
  let project: Project
  let outcome: BuildOutcome
  /** Files of the output by the names that they were emitted under. */
  let files: Map<string, string[]>

  async function build(options: string): Promise<void> {
    const config = `{ build: { manifest: true, assetsInlineLimit: 0 }, plugins: [${EMITTING}] }`
    outcome = await buildProject(project, { vite, config, options })
    files = new Map()
    for (const file of await project.list('dist')) {
      const name = file.replace(/^.*\/|-[\w-]{8}(?=\.\w+$)/g, '')
      files.set(name, [...(files.get(name) ?? []), file])
    }
  }

  async function isSmaller(name: string, file: string): Promise<boolean> {
    const [source, copy] = [await project.read(SOURCES[name]!), await project.read(`dist/${file}`)]
    expect(detect(copy)).toBe(detect(source))
    await expectSimilar(copy, source)
    return copy.length < source.length
  }

  beforeAll(async () => {
    project = await createProject('vite-emitted', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'index.html': `<script type="module" src="/src/main.js"></script>`,
        'src/main.js': `import card from 'virtual:card'\nimport kept from './kept.jpg?original'\nimport both from './both.jpg'\nconsole.log(card, kept, both)`,
        'src/plain.jpg': await photo(80, 60, 1).jpeg(100),
        'src/kept.jpg': await photo(80, 60, 2).jpeg(100),
        'src/left.jpg': await photo(80, 60, 3).jpeg(100),
        'src/both.jpg': await photo(80, 60, 4).jpeg(100),
        'made/card.png': await photo(80, 60, 5).png(),
        'made/badge.png': await photo(80, 60, 6).png(),
      },
    })
    await build(`{ exclude: '**/left.jpg', effort: 'fast' }`)
  })
  afterAll(() => project.dispose())

  it('are compressed in their own type, under any name and from any hook', async () => {
    expect({ error: outcome.error, warnings: outcome.warnings }).toEqual({ error: undefined, warnings: [] })
    for (const name of ['plain.jpg', 'card.png', 'badge.png', 'both.jpg']) {
      const found = files.get(name) ?? []
      expect(found.length, name).toBeGreaterThan(0)
      for (const file of found) expect(await isSmaller(name, file), file).toBe(true)
    }
    expect(await project.readText(`dist/${files.get('late.svg')![0]!}`)).not.toContain('<!--')
    expect(files.get('badge.png')).toEqual(['fixed/badge.png'])
  })

  it('stay as they are where the options or a reference say so', async () => {
    for (const name of ['left.jpg', 'kept.jpg']) {
      const found = files.get(name)!
      expect(found).toHaveLength(1)
      expect((await project.read(`dist/${found[0]!}`)).equals(await project.read(SOURCES[name]!)), name).toBe(true)
    }
  })

  it('have their final names in scripts and in the manifest', async () => {
    const manifest = JSON.parse(await project.readText('dist/.vite/manifest.json')) as Record<string, { file: string }>
    expect(files.get('plain.jpg')).toEqual([manifest['src/plain.jpg']!.file])
    expect(files.get('both.jpg')).toContain(manifest['src/both.jpg']!.file)
    const [script] = files.get('index.js')!
    expect(await project.readText(`dist/${script!}`)).toContain(path.basename(files.get('card.png')![0]!))
  })

  // The rule is one for all versions, and a build takes its time.
  if (vite === 'vite')
    it('have other names when the options make other bytes of them', async () => {
      const before = [files.get('plain.jpg')![0]!, files.get('card.png')![0]!]
      await build(`{ exclude: '**/left.jpg', effort: 'fast', quality: 60 }`)
      expect(files.get('plain.jpg')![0]).not.toBe(before[0])
      expect(files.get('card.png')![0]).not.toBe(before[1])
    })
})
