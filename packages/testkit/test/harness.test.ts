import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  animation,
  createProject,
  danglingReferences,
  decode,
  detect,
  expectSimilar,
  findBun,
  graphic,
  perceptualDistance,
  photo,
  readReferences,
  requireTool,
  transparentGraphic,
} from '../src/index.ts'
import type { Project } from '../src/index.ts'

describe('createProject', () => {
  const projects: Project[] = []
  const make: typeof createProject = async (...args) => {
    const project = await createProject(...args)
    projects.push(project)
    return project
  }
  afterEach(async () => {
    await Promise.all(projects.splice(0).map((project) => project.dispose()))
  })

  it('writes, lists and reads files, and is gone afterwards', async () => {
    const project = await make('files', { files: { 'src/b.txt': 'b', 'src/a/c.bin': new Uint8Array([1, 2]) } })
    await project.write('src/B.txt', 'B')
    expect(await project.list('src')).toEqual(['B.txt', 'a/c.bin', 'b.txt'])
    expect(await project.list()).toEqual(['package.json', 'src/B.txt', 'src/a/c.bin', 'src/b.txt'])
    expect([...(await project.read('src/a/c.bin'))]).toEqual([1, 2])
    expect(await project.list('nowhere')).toEqual([])
    await project.dispose()
    await expect(project.read('src/b.txt')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('copies a fixture and lets files replace those of it', async () => {
    const from = await make('source', { files: { 'a.txt': 'fixture', 'b.txt': 'fixture' } })
    const project = await make('copy', { from: from.root, files: { 'b.txt': 'own' } })
    expect(await project.readText('a.txt')).toBe('fixture')
    expect(await project.readText('b.txt')).toBe('own')
  })

  it('has a node_modules of its own with the packages asked for and no others', async () => {
    const project = await make('packages', { packages: ['sharp', '@rspack/core'] })
    const script = `
      const seen = {}
      for (const name of ['sharp', '@rspack/core', 'webpack']) seen[name] = await import(name).then(() => true, (error) => error.code)
      console.log(JSON.stringify([seen, process.argv.slice(2), process.cwd()]))`
    const { code, stdout } = await project.run(script, { args: ['x', '--y'] })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      { sharp: true, '@rspack/core': true, webpack: 'ERR_MODULE_NOT_FOUND' },
      ['x', '--y'],
      project.root,
    ])
    await expect(make('unknown', { packages: ['no-such-package'] })).rejects.toThrow('no-such-package')
  })

  it('runs files as well, and reports how they end', async () => {
    const project = await make('run', { files: { 'a.mjs': 'console.error(process.argv[2]); process.exit(3)' } })
    const { code, stderr } = await project.run('a.mjs', { args: ['seen'] })
    expect([code, stderr.trim()]).toEqual([3, 'seen'])
  })

  it('kills what runs too long', async () => {
    const project = await make('slow')
    const { code, stdout, ms } = await project.run('console.log("on"); setInterval(() => {}, 1e6)', { timeout: 3000 })
    expect(code).toBeNull()
    expect(stdout.trim()).toBe('on')
    expect(ms).toBeGreaterThan(2900)
  })
})

describe('test images', () => {
  it.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)('are the same from the same seed, as %s', async (format) => {
    const [first, again, other] = await Promise.all(
      [photo(64, 40, 5), photo(64, 40, 5), photo(64, 40, 6)].map((image) => image[format]()),
    )
    expect(first!.equals(again!)).toBe(true)
    expect(first!.equals(other!)).toBe(false)
    expect(await decode(first!)).toMatchObject({ type: format, width: 64, height: 40, frames: 1 })
    expect(detect(first!)).toBe(format)
  })

  it('have transparency or frames where they should', async () => {
    expect(await decode(await transparentGraphic(50, 50).png())).toMatchObject({ hasAlpha: true })
    expect(await decode(await graphic(50, 50).png())).toMatchObject({ hasAlpha: false })
    expect(await decode(await animation(40, 30, 5).gif())).toMatchObject({
      type: 'gif',
      frames: 5,
      width: 40,
      height: 30,
    })
    expect(await decode(await animation(40, 30, 5).webp())).toMatchObject({ type: 'webp', frames: 5, height: 30 })
  })

  it('are refused when torn', async () => {
    const bytes = await photo(64, 64).png()
    await expect(decode(bytes.subarray(0, bytes.length / 2))).rejects.toThrow()
    expect(detect(new TextEncoder().encode('no image'))).toBeUndefined()
  })
})

describe('expectSimilar', () => {
  it('accepts another format, quality and size of the same picture', async () => {
    const original = await photo(300, 200, 3).png()
    for (const same of [await photo(300, 200, 3).jpeg(60), await photo(300, 200, 3).avif(50)])
      await expectSimilar(same, original)
    const { default: sharp } = await import('sharp')
    await expectSimilar(await sharp(original).resize(90).webp().toBuffer(), original)
  })

  it('refuses another picture, a turned one, lost transparency, other proportions and lost frames', async () => {
    const { default: sharp } = await import('sharp')
    const original = await photo(300, 300, 3).png()
    await expect(expectSimilar(await photo(300, 300, 4).png(), original)).rejects.toThrow('look different')
    await expect(expectSimilar(await sharp(original).rotate(90).toBuffer(), original)).rejects.toThrow('look different')
    await expect(
      expectSimilar(await sharp(original).resize(300, 200, { fit: 'fill' }).toBuffer(), original),
    ).rejects.toThrow()
    const logo = await transparentGraphic(120, 80).png()
    await expect(expectSimilar(await sharp(logo).flatten({ background: 'white' }).toBuffer(), logo)).rejects.toThrow()
    expect(await perceptualDistance(await animation(40, 30, 2).gif(), await animation(40, 30, 3).gif())).toBe(Infinity)
    expect(await perceptualDistance(original, original)).toBe(0)
  })
})

describe('readReferences', () => {
  let folder: string | undefined
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('finds what code, styles and pages refer to, and whether it is there', async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-references-'))
    await mkdir(path.join(folder, 'assets'))
    const pixel = (await graphic(1, 1).png()).toString('base64')
    const files: Record<string, string> = {
      'assets/main.js': [
        `// it's ./comment.png`,
        `const a="/assets/a.avif",b=new URL("b.webp",import.meta.url).href;`,
        `const map={"./key.png":()=>1,'./fn.png'(m){}},k=map["./key.png"],s=p+"assets/a.avif 200w, "+p+'assets/gone.webp 400w';`,
        `const d="data:image/png;base64,${pixel}",t=\`\${p}assets/c.jpg\`,e="https://example.com/x.png";`,
        `el.innerHTML="<i style='background:url(/assets/c.jpg)'>";`,
      ].join('\n'),
      'assets/main.css':
        `a{background:url(a.avif)}b{background:url("missing.png?x#y")}c{background:image-set("b.webp" 1x,url('/assets/c.jpg') type("image/jpeg") 2x)}` +
        `d{background:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E")}`,
      'index.html':
        `<!-- <img src=hidden.png> --><link rel=icon href=/assets/a.avif><meta property="og:image" content="/sub%20dir.png">` +
        `<img src='./assets/c.jpg' srcset="/assets/a.avif, /assets/lost.avif 2x" alt="not.png"><style>i{background:url(assets/b.webp)}</style>`,
      'sub dir.png': '',
      'assets/a.avif': '',
      'assets/b.webp': '',
      'assets/c.jpg': '',
    }
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text)
    const references = await readReferences(folder)
    const shown = references.map(
      ({ file, url, target, inlined }) => `${file} ${inlined?.type ?? `${url} -> ${target}`}`,
    )
    expect(shown.toSorted()).toEqual([
      'assets/main.css /assets/c.jpg -> assets/c.jpg',
      'assets/main.css a.avif -> assets/a.avif',
      'assets/main.css b.webp -> assets/b.webp',
      'assets/main.css image/svg+xml',
      'assets/main.css missing.png?x#y -> undefined',
      'assets/main.js /assets/a.avif -> assets/a.avif',
      'assets/main.js /assets/c.jpg -> assets/c.jpg',
      'assets/main.js assets/a.avif -> assets/a.avif',
      'assets/main.js assets/c.jpg -> assets/c.jpg',
      'assets/main.js assets/gone.webp -> undefined',
      'assets/main.js b.webp -> assets/b.webp',
      'assets/main.js image/png',
      'index.html ./assets/c.jpg -> assets/c.jpg',
      'index.html /assets/a.avif -> assets/a.avif',
      'index.html /assets/lost.avif -> undefined',
      'index.html /sub%20dir.png -> sub dir.png',
      'index.html assets/b.webp -> assets/b.webp',
    ])
    expect(danglingReferences(references).map(({ url }) => url)).toEqual([
      'missing.png?x#y',
      'assets/gone.webp',
      '/assets/lost.avif',
    ])
    const inlined = references.find((reference) => reference.inlined?.type === 'image/png')?.inlined
    expect(detect(inlined!.bytes)).toBe('png')
  })
})

describe('tools', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('finds a Bun that runs', async () => {
    const project = await createProject('bun', { packages: [] })
    try {
      const { code, stdout } = await project.exec(findBun()!, { args: ['--version'] })
      expect(code).toBe(0)
      expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
    } finally {
      await project.dispose()
    }
  })

  it('is loud about a missing program in CI only', () => {
    vi.stubEnv('PATH', '')
    vi.stubEnv('PIXPRESS_CHROMIUM', '')
    vi.stubEnv('CI', '')
    const found = requireTool('chromium')
    vi.stubEnv('CI', 'true')
    if (found === undefined) expect(() => requireTool('chromium')).toThrow('install-test-packages.sh')
    else expect(requireTool('chromium')).toBe(found)
  })
})
