import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { missedByGlobs } from '../../../src/session/report/precached-globs.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

it.each([
  ['vite.config.ts', "VitePWA({ workbox: { globPatterns: ['**/*.{js,css,html,png}'] } })"],
  ['workbox-config.js', 'module.exports = { globPatterns: [\n"**/*.js",\n"img/*.jpg"\n] }'],
  ['ngsw-config.json', '{ "globPatterns": ["**/*.{js,webp}"] }'],
])('names the globs of %s that miss a format', async (name, text) => {
  await writeFile(path.join(root, name), text)
  const [line, ...others] = missedByGlobs(root, 'avif')
  expect(line).toEqual(naming('.avif', 'globPatterns', name))
  expect(others).toEqual([])
})

it.each([
  ['vite.config.js', "VitePWA({ workbox: { globPatterns: ['**/*.{js,png}', 'assets/*.avif'] } })"],
  ['vite.config.mjs', "VitePWA({ workbox: { globPatterns: ['**/*.{js,css,html}'] } })"],
  ['vite.config.mts', "VitePWA({ workbox: { globPatterns: ['**/*.png', 'assets/**'] } })"],
  ['notes.js', "const globPatterns = { globPatterns: ['**/*.png'] }"],
])('says nothing of %s: %s', async (name, text) => {
  await writeFile(path.join(root, name), text)
  expect(missedByGlobs(root, 'avif')).toEqual([])
})

it('says nothing of a project that is not on the disk', () => {
  expect(missedByGlobs(path.join(root, 'none'), 'avif')).toEqual([])
})
