import { expect, it } from 'vitest'
import { withPublicMark } from '../../../src/bundlers/vite/alternatives.ts'
import type { ViteProject } from '../../../src/bundlers/vite/project.ts'

const looked = new Error('looked for')

const project = (publicDir: boolean, copyPublicDir: boolean): ViteProject =>
  ({
    session: { options: { publicDir } },
    config: { root: '/p', publicDir: '/p/public', build: { copyPublicDir, outDir: 'dist' } },
    locatePublic: () => Promise.reject(looked),
  }) as unknown as ViteProject

it.each([
  ['/a.png', false, true],
  ['/a.png', true, false],
  ['/a.svg#part', true, true],
])('nothing is offered beside %s with `publicDir: %s` and `copyPublicDir: %s`', async (url, publicDir, isCopied) => {
  expect(await withPublicMark(project(publicDir, isCopied), url)).toBeUndefined()
  await expect(withPublicMark(project(true, true), '/a.png')).rejects.toBe(looked)
})
