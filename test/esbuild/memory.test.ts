import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { build } from 'esbuild'
import pixpress from 'unplugin-pixpress/esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const FILES = {
  'main.js': `import './style.css'\nimport image from './image.png'\nimport hero from './image.png?w=20;40&as=srcset'
console.log(image, hero, new URL('./image.png', import.meta.url).href)`,
  'style.css': '.a { background: url(./image.png) }',
}

let project: Project
beforeAll(async () => {
  project = await createProject('esbuild-memory', { files: { ...FILES, 'image.png': await photo(60, 40).png() } })
})
afterAll(() => project.dispose())

it('gives the images of a build without `write` in memory alone', async () => {
  const before = await project.list('.')
  const { outputFiles } = await build({
    absWorkingDir: project.root,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    outdir: 'dist',
    write: false,
    logLevel: 'silent',
    plugins: [pixpress({ convert: { type: 'image/webp' }, report: false, cache: false })],
  })
  const images = outputFiles.filter(({ path }) => path.endsWith('.webp'))
  expect(images).toHaveLength(3)
  for (const { contents } of images) expect(detect(contents)).toBe('webp')
  expect(await project.list('.')).toEqual(before)
})
