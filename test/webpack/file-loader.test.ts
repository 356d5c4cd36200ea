import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { WORKSPACE, decode, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createBundlerProject } from './build.ts'

const rules = (use: string): string =>
  `{ rules: [{ test: /\\.(?:png|jpe?g)$/, type: 'javascript/auto', use: [${use}] }] }`

describe.each(['webpack', 'rspack'] as const)('%s with the loaders of webpack 4', (bundler) => {
  let project: Project
  let source: Buffer
  let drawing: Buffer
  beforeAll(async () => {
    source = await photo(240, 180, 1).png()
    drawing = await readFile(path.join(WORKSPACE, 'examples/images/logo.png'))
    project = await createBundlerProject(
      bundler,
      'file-loader',
      {
        'src/main.js': `import plain from './photo.png'
import logo from './logo.png'
import jpeg from './photo.jpg'
import small from './photo.png?w=80&format=webp'
globalThis.result = { plain, logo, jpeg, small }`,
        'src/photo.png': source,
        'src/logo.png': drawing,
        'src/photo.jpg': await photo(240, 180, 2).jpeg(98),
      },
      ['file-loader', 'url-loader'],
    )
  })
  afterAll(() => project.dispose())

  interface Urls {
    plain: string
    logo: string
    jpeg: string
    small: string
  }

  it('compresses the images that file-loader emits, under its names', async () => {
    const use = `{ loader: 'file-loader', options: { name: 'media/[name].[contenthash:6].[ext]' } }`
    const options = `{ convert: { type: 'image/avif' } }`
    const { errors, warnings, result } = await build(project, bundler, {
      config: rules(use),
      options,
      evaluate: true,
    })
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
    const { plain, logo, jpeg, small } = result as Urls
    expect(plain).toMatch(/^\/media\/photo\.[\da-f]{6}\.png$/)
    expect(jpeg).toMatch(/^\/media\/photo\.[\da-f]{6}\.jpg$/)
    expect(small).toMatch(/^\/media\/photo(?:-80)?\.[\da-f]{6}\.webp$/)
    const emitted = await project.read(`dist${plain}`)
    expect(detect(emitted)).toBe('png')
    expect(emitted.length).toBeLessThan(source.length)
    // In fewer colours, which files that are copied for nobody knows whom are not.
    const lossless = (await createOptimizer().optimize(drawing, { lossless: true })).data
    expect((await project.read(`dist${logo}`)).length).toBeLessThan(lossless.length / 2)
    expect((await project.read(`dist${jpeg}`)).length).toBeLessThan((await project.read('src/photo.jpg')).length)
    expect(await decode(await project.read(`dist${small}`))).toMatchObject({ type: 'webp', width: 80, height: 60 })
  })

  it('gives url-loader compressed bytes, with its limit for the source, or for what directives ask for', async () => {
    const limit = source.length - 1
    const use = `{ loader: 'url-loader', options: { limit: ${limit} } }`
    const { errors, result } = await build(project, bundler, { config: rules(use), evaluate: true })
    expect(errors).toEqual([])
    const { plain, small } = result as Urls
    const written = await build(project, bundler, { config: rules(`'url-loader?limit=${limit}'`), evaluate: true })
    expect((written.result as Urls).plain).toBe(plain)
    expect((await project.read(`dist${plain}`)).length).toBeLessThan(limit)
    expect(small.slice(0, 23)).toBe('data:image/webp;base64,')
    expect(await decode(Buffer.from(small.slice(23), 'base64'))).toMatchObject({ type: 'webp', width: 80 })
  })
})
