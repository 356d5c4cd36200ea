import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProject, emittedText } from '../vite/build.ts'
import type { BuildOutcome } from '../vite/build.ts'
import { serveImages } from './server.ts'
import type { ImageHost } from './server.ts'

let host: ImageHost
let project: Project
let outcome: BuildOutcome

beforeAll(async () => {
  host = await serveImages({
    '/photos/plain.jpg': await photo(80, 60, 1).jpeg(98),
    '/photos/sized': await photo(80, 60, 2).jpeg(98),
    '/photos/ground.png': await photo(80, 60, 3).png(),
    '/photos/page.jpg': await photo(80, 60, 4).jpeg(98),
    '/photos/large.jpg': await photo(80, 60, 5).jpeg(98),
    '/other/not-allowed.jpg': await photo(80, 60, 6).jpeg(98),
  })
  const { origin } = host
  project = await createProject('remote-vite', {
    packages: ['unplugin-pixpress', 'vite'],
    files: {
      'pixpress.lock': '',
      'index.html': `<!doctype html><title>Remote</title><meta property="og:image" content="${origin}/photos/page.jpg">
        <img id="plain" src="${origin}/photos/page.jpg" srcset="${origin}/photos/large.jpg?token=SECRET 2x">
        <img id="kept" src="${origin}/other/not-allowed.jpg"><img id="gone" src="${origin}/photos/gone.jpg">
        <script type="module" src="./main.js"></script>`,
      'main.js': `import './style.css'\nimport * as images from './images.js'\nglobalThis.images = images`,
      'images.js': `
        export { default as plain } from '${origin}/photos/plain.jpg'
        export { default as sized } from '${origin}/photos/sized?w=800#?w=40;80&format=webp&as=srcset'
        export { default as gone } from '${origin}/photos/gone.png'
        export default 1`,
      'style.css': `.a { background: url(${origin}/photos/ground.png) }
        .b { background: url(${origin}/other/not-allowed.jpg) }`,
    },
  })
  await project.remove('pixpress.lock')
  outcome = await buildProject(project, {
    options: `{ convert: 'auto', lock: true, remoteImages: ['${origin}/photos/**'] }`,
    config: `{ base: './', build: { assetsInlineLimit: 0, minify: false, rollupOptions: { input: ['index.html', 'images.js'], preserveEntrySignatures: 'strict', output: { entryFileNames: '[name].mjs' } } } }`,
  })
})
afterAll(async () => {
  await project?.dispose()
  await host?.close()
})

describe('remote images in a build with Vite', () => {
  it('are files of the output in pages, in the smallest format', async () => {
    expect(outcome.error).toBeUndefined()
    const html = await project.readText('dist/index.html')
    expect(html).toMatch(/src="\.\/assets\/page-[\w-]{8}\.avif"/)
    expect(html).toMatch(/srcset="\.\/assets\/large-[\w-]{8}\.avif 2x"/)
  })

  it('are files of the output in stylesheets', async () => {
    expect(await emittedText(project, '.css')).toMatch(/url\(["']?\.\/ground-[\w-]{8}\.(?:png|webp|avif)/)
  })

  it('are files of the output in imports, with the directives behind `#?`', async () => {
    const script = `const { plain, sized } = await import('./dist/images.mjs'); console.log(JSON.stringify({ plain, sized }))`
    const { stdout, stderr } = await project.run(script)
    const { plain, sized } = JSON.parse(stdout) as { plain: string; sized: string }
    expect(plain, stderr).toMatch(/\/plain-[\w-]{8}\.avif$/)
    expect(sized).toMatch(/sized-40-[\w-]{8}\.webp 40w, \S+sized-[\w-]{8}\.webp 80w$/)
    const [file] = /assets\/plain-[^"]+/.exec(plain)!
    expect(detect(await project.read(`dist/${file}`))).toBe('avif')
    expect(host.asked).toContain('/photos/sized?w=800')
  })

  it('stay as they are where no option allows them, and nothing is fetched', async () => {
    expect(await project.readText('dist/index.html')).toContain(`src="${host.origin}/other/not-allowed.jpg"`)
    expect(await emittedText(project, '.css')).toContain(`${host.origin}/other/not-allowed.jpg`)
    expect(host.asked.filter((path) => path.startsWith('/other'))).toEqual([])
  })

  it('stay as they are in social cards, which need a host', async () => {
    expect(await project.readText('dist/index.html')).toContain(`content="${host.origin}/photos/page.jpg"`)
  })

  it('stay as they are where they cannot be fetched, with one warning', async () => {
    expect(await project.readText('dist/index.html')).toContain(`src="${host.origin}/photos/gone.jpg"`)
    const gone = outcome.warnings.filter((each) => each.includes('/photos/gone.jpg'))
    expect(gone).toEqual([expect.stringContaining(`${host.origin}/photos/gone.jpg`)])
    const { stdout } = await project.run(`console.log((await import('./dist/images.mjs')).gone)`)
    expect(stdout.trim()).toBe(`${host.origin}/photos/gone.png`)
  })

  it('are asked for once, and stand in the lock by their URLs without what may be a key', async () => {
    const counts = host.asked.filter((path) => path.startsWith('/photos/page'))
    expect(counts).toEqual(['/photos/page.jpg'])
    const lock = await project.readText('pixpress.lock')
    expect(lock).toContain(`"source":"${host.origin}/photos/page.jpg"`)
    expect(lock).toMatch(/photos\/large\.jpg\?sha256=[\da-f]{8}"/)
    expect(lock + outcome.warnings.join('\n')).not.toContain('SECRET')
  })
})
