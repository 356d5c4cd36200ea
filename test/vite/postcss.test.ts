import path from 'node:path'
import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import postcss from 'postcss'
import type { Result } from 'postcss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pixpress from 'unplugin-pixpress/postcss'

describe('unplugin-pixpress/postcss', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('postcss', { files: { 'src/a.png': await photo(80, 60, 1).png() } })
  })
  afterAll(() => project.dispose())

  function run(css: string): Promise<Result> {
    const plugin = pixpress({ root: project.root, report: false, convert: { type: 'image/webp' } })
    return Promise.resolve(postcss([plugin]).process(css, { from: project.path('src/style.css') }))
  }

  it('writes processed files, and refers to them from the stylesheet', async () => {
    const { css, messages } = await run(
      `.a { background: url("./a.png#x") }\n.b { background: image-set("/src/a.png" 1x, url(gone.png) 2x) }`,
    )
    const urls = [...css.matchAll(/["(]([^"()]+)["#)]/g)].map(([, url]) => url!).filter((url) => url.includes('.cache'))
    expect(urls).toHaveLength(2)
    expect(css).toContain('#x"')
    expect(css).toContain('url(gone.png)')
    const [first, second] = await Promise.all(urls.map((url) => project.read(path.join('src', url.replace(/#.*/, '')))))
    expect(detect(first!)).toBe('webp')
    expect(second!.equals(first!)).toBe(true)
    expect(messages).toContainEqual(
      expect.objectContaining({
        type: 'dependency',
        plugin: 'pixpress',
        file: project.path('src/a.png'),
        parent: project.path('src/style.css'),
      }),
    )
  })

  it('leaves its own output alone', async () => {
    const once = (await run('.a { background: url(./a.png) }')).css
    expect((await run(once)).css).toBe(once)
  })

  it('inlines where it is asked to', async () => {
    expect((await run('.a { background: url(./a.png?inline) }')).css).toContain('url(data:image/webp;base64,')
  })

  it('names the place of a directive that is wrong', async () => {
    await expect(run('.a {\n  background: url(./a.png?w=20&fromat=webp)\n}')).rejects.toMatchObject({
      name: 'CssSyntaxError',
      line: 2,
      reason: expect.stringContaining("'format'"),
    })
  })

  it('can be listed without being called', async () => {
    expect(pixpress.postcss).toBe(true)
    const { css } = await postcss([pixpress]).process('.a { background: url(https://example.com/a.png) }', {
      from: project.path('x.css'),
    })
    expect(css).toContain('https://example.com/a.png')
  })
})
