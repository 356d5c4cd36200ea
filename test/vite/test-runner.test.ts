import path from 'node:path'
import { WORKSPACE, createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

let project: Project
beforeAll(async () => {
  project = await createProject('vite-vitest', {
    files: {
      'package.json': '{ "type": "module" }',
      'src/photo.jpg': await photo(160, 120, 1).jpeg(95),
      'src/small.png': await photo(8, 8, 2).png(),
      'src/drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- c --><path d="M0 0h9"/></svg>',
      'src/a.css': '.a { background: url(./photo.jpg) }',
      'src/a.test.js': `import { test } from 'vitest'
import { writeFileSync } from 'node:fs'
import photo from './photo.jpg'
import asked from './photo.jpg?url'
import inlined from './photo.jpg?inline'
import small from './small.png'
import drawing from './drawing.svg'
import wide from './photo.jpg?w=80&format=webp&as=picture'
import css from './a.css?inline'
const all = import.meta.glob('./*.{png,jpg}', { eager: true, import: 'default' })
test('images', () => {
  const located = new URL('./photo.jpg', import.meta.url).href
  writeFileSync(process.env.OUT, JSON.stringify({ photo, asked, inlined, small, drawing, wide, css, all, located }))
})`,
      'vitest.config.js': `import pixpress from 'unplugin-pixpress/vite'
export default {
  plugins: process.env.PIXPRESS === 'on' ? [pixpress({ convert: 'auto', lock: true })] : [],
  test: { include: ['src/*.test.js'], environment: 'node', watch: false, css: true },
}`,
    },
  })
})
afterAll(() => project.dispose())

async function valuesWith(pixpress: 'on' | 'off'): Promise<Record<string, unknown>> {
  const runner = path.join(WORKSPACE, 'node_modules/vitest/vitest.mjs')
  const out = project.path(`${pixpress}.json`)
  const env = { ...process.env, OUT: out, PIXPRESS: pixpress }
  const { code, stdout, stderr } = await project.exec(process.execPath, { args: [runner, 'run'], env })
  if (code !== 0) throw new Error(stdout + stderr)
  return JSON.parse(await project.readText(`${pixpress}.json`)) as Record<string, unknown>
}

it('gives Vitest what Vite alone gives, and encodes nothing', async () => {
  const alone = await valuesWith('off')
  expect(alone.photo).toBe('/src/photo.jpg')
  const files = await project.list()
  expect(await valuesWith('on')).toEqual(alone)
  expect((await project.list()).filter((file) => !files.includes(file))).toEqual(['on.json'])
})
