import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOf } from './build.ts'

describe("images of scripts with convert: 'auto' and no browserslist", () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-browsers', {
      packages: ['unplugin-pixpress', 'vite', 'vite6', 'vite5'],
      files: { 'main.js': `export { default } from './a.png'`, 'a.png': await photo(240, 180, 1).png() },
    })
  })
  afterAll(() => project.dispose())

  async function build(vite: string, settings: string): Promise<{ stdout: string; images: readonly string[] }> {
    const { code, stdout, stderr } = await project.run(`
      import pixpress from 'unplugin-pixpress/vite'
      import { build } from '${vite}'
      await build({ configFile: false, logLevel: 'error', plugins: [pixpress({ convert: 'auto', cache: false })],
        build: { assetsInlineLimit: 0, emptyOutDir: true, ${settings} rollupOptions: ${entryOf('main.js')} } })`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const files = await project.list('dist')
    return { stdout, images: files.filter((file) => /\.(?:png|webp|avif)$/.test(file)) }
  }

  it.each(['vite5', 'vite6'])(
    'become WebP with the targets that are the default of %s, and it says what keeps them from AVIF',
    async (vite) => {
      const { stdout, images } = await build(vite, '')
      expect(images).toEqual([expect.stringMatching(/\.webp$/)])
      const said = stdout.split('\n').filter((line) => line.startsWith('pixpress: '))
      expect(said).toEqual([
        naming(
          'AVIF',
          "'build.target'",
          '88',
          '78',
          '14',
          "'es2020'",
          "'edge121'",
          "'firefox93'",
          "'chrome87'",
          "'safari16.4'",
          '14',
          'WebP',
          '11',
        ),
      ])
    },
  )

  it('become AVIF, without a word, with the line that was offered', async () => {
    const { stdout, images } = await build(
      'vite5',
      `target: ['es2020', 'edge121', 'firefox93', 'chrome87', 'safari16.4'],`,
    )
    expect(images).toEqual([expect.stringMatching(/\.avif$/)])
    expect(stdout).not.toContain('pixpress: ')
  })
})
