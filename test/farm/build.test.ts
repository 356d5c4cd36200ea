import { createProject, decode, photo, startGcsDouble } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { borrowResults, lendResults } from '../contract/shared-cache.ts'
import { PACKAGES, buildProject } from './farm.ts'
import type { BuildOutcome } from './farm.ts'

let project: Project

beforeEach(async () => {
  project = await createProject('farm-build', {
    packages: PACKAGES,
    files: {
      'index.html': `<!doctype html><html><head><link rel="icon" href="./src/icon.png"></head>
<body><img src="./src/page.png" alt=""><img src="/media/public.png" alt=""><script type="module" src="./src/main.js"></script></body></html>`,
      'src/main.js': `import './style.css'; import module from './module.png'; console.log(module)`,
      'src/style.css': `.a { background: url(./style.png) } .b { background: url("./style.png?w=40") }`,
      'src/page.png': await photo(120, 90).png(),
      'src/icon.png': await photo(32, 32, 2).png(),
      'src/module.png': await photo(110, 80, 3).png(),
      'src/style.png': await photo(100, 70, 4).png(),
      'public/media/public.png': await photo(90, 60, 5).png(),
      'public/media/notes.txt': 'kept',
      'public/robots.txt': 'kept too',
    },
  })
  // This test shows where the images go, not how they are made.
  await borrowResults(project)
})

afterEach(async () => {
  await lendResults(project)
  await project.dispose()
})

const options = `{ convert: { type: 'image/webp' } }`

async function expectImage({ files }: BuildOutcome, name: string | undefined, wanted: object): Promise<Buffer> {
  const bytes = files.get(name ?? '')
  expect([name, bytes !== undefined]).toEqual([name, true])
  expect(await decode(bytes!)).toMatchObject(wanted)
  return bytes!
}

const pageOf = ({ files }: BuildOutcome): string => files.get('index.html')!.toString()
const match = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]

describe('a build', () => {
  it('processes the images of pages, scripts and stylesheets, and names them by the template', async () => {
    const compilation = `{ output: { assetsFilename: 'img/[resourceName].[contentHash].[ext]', publicPath: '/shop/' } }`
    const outcome = await buildProject(project, { options, compilation })
    expect(outcome.code).toBe(0)
    const page = pageOf(outcome)
    const pattern = String.raw`img/\w+(?:-\d+)?\.[\da-f]{8}-[\da-f]{6}\.(?:webp|png)`
    await expectImage(outcome, match(page, RegExp(`<img src="/shop/(${pattern})"`)), { type: 'webp', width: 120 })
    await expectImage(outcome, match(page, RegExp(`rel="icon" href="/shop/(${pattern})"`)), { type: 'png', width: 32 })
    const text = [...outcome.files]
      .map(([name, bytes]) => (/\.(?:js|css)$/.test(name) ? bytes.toString() : ''))
      .join('')
    await expectImage(outcome, match(text, RegExp(`"/shop/(img/module${pattern.slice(7)})"`)), { width: 110 })
    const urls = [...text.matchAll(RegExp(String.raw`url\("?/shop/(${pattern})`, 'g'))].map(([, name]) => name)
    expect(urls).toHaveLength(2)
    await expectImage(outcome, urls[0], { type: 'webp', width: 100 })
    await expectImage(outcome, urls[1], { type: 'webp', width: 40 })
  })

  it('keeps the type of an image that a stylesheet declares', async () => {
    await project.write(
      'src/style.css',
      `.a { background: image-set(url(./style.png) type("image/png"), url(./module.png)) }`,
    )
    const { files } = await buildProject(project, { options })
    const names = [...files.keys()].filter((name) => /^(?:style|module)\..*\.(?:png|webp)$/.test(name))
    expect(names.map((name) => name.replace(/\..*\./, '.'))).toEqual(['module.webp', 'style.png'])
  })

  it('compresses the public folder in the output, and copies all of it', async () => {
    const outcome = await buildProject(project, { options })
    const copy = await expectImage(outcome, 'media/public.png', { type: 'png', width: 90 })
    expect(copy.length).toBeLessThan((await project.read('public/media/public.png')).length)
    expect(pageOf(outcome)).toContain('<img src="/media/public.png"')
    expect(outcome.files.get('media/notes.txt')!.toString()).toBe('kept')
    expect(outcome.files.get('robots.txt')!.toString()).toBe('kept too')
  })

  it('copies the public folder as it is with `publicDir: false`', async () => {
    const { files } = await buildProject(project, { options: '{ publicDir: false }' })
    expect(files.get('media/public.png')!.equals(await project.read('public/media/public.png'))).toBe(true)
  })

  it('gives paths on the disk to Node', async () => {
    await project.write('src/node.js', `import module from './module.png'; console.log(module)`)
    const { code, files } = await buildProject(project, {
      options,
      compilation: `{ input: { node: './src/node.js' }, output: { targetEnv: 'node', format: 'esm', entryFilename: '[entryName].js' } }`,
    })
    expect(code).toBe(0)
    const run = await project.run('dist/node.js')
    const printed = run.stdout.trim().split('\n').at(-1)!
    expect(printed.startsWith(project.path('dist'))).toBe(true)
    const name = [...files.keys()].find((file) => file.startsWith('module.'))
    expect(printed).toBe(project.path('dist', name!))
  })

  it('fails for a bad directive, and says file and word', async () => {
    await project.write('src/main.js', `import a from './module.png?widht=3'; console.log(a)`)
    const { code, printed } = await buildProject(project)
    expect(code).not.toBe(0)
    expect(printed).toMatch(/src\/module\.png[^]*'widht'/)
  })

  it('warns of a broken image once, and keeps it', async () => {
    await project.write('src/page.png', 'not an image')
    await project.write('src/main.js', `import a from './page.png'; console.log(a)`)
    const { code, printed, files } = await buildProject(project)
    expect(code).toBe(0)
    expect(printed.match(/src\/page\.png: The content is not an image/g)).toHaveLength(1)
    expect([...files.values()].filter((bytes) => bytes.equals(Buffer.from('not an image')))).toHaveLength(2)
  })
})

it('puts images into a store that stylesheets and new URL() name by an alias', async () => {
  const double = await startGcsDouble('pictures', { token: 'write' })
  const named = await createProject('farm-alias', {
    packages: PACKAGES,
    files: {
      'index.html': '<!doctype html><script type="module" src="./src/main.js"></script>',
      'src/main.js': `import './style.css'; console.log(new URL('@images/a.png?w=40#top', import.meta.url).href)`,
      'src/style.css': '.b { background: url(@images/b.png) } .c { background: url("/@/white%20space.png") }',
      'images/a.png': await photo(120, 90).png(),
      'images/b.png': await photo(120, 90, 2).png(),
      'images/white space.png': await photo(120, 90, 3).png(),
    },
  })
  try {
    const { endpoint } = double
    const store = { service: 'gcs', gcp_access_token: 'token', path: 'pictures', endpoint }
    const { code, printed, files } = await buildProject(named, {
      options: JSON.stringify({ store, report: false }),
      compilation: `{ resolve: { alias: { '@images': process.cwd() + '/images', '/@': process.cwd() + '/images' } } }`,
    })
    expect([code, printed]).toEqual([0, expect.any(String)])
    expect([...files.keys()].filter((file) => file.endsWith('.png'))).toEqual([])
    const text = [...files]
      .map(([name, bytes]) => (/\.(?:html|js|css)$/.test(name) ? bytes.toString() : ''))
      .join('')
      .replaceAll(/\.[\da-f]{16}\./g, '.')
    expect(text).toContain(`new URL("${endpoint}/pictures/a-40.png#top")`)
    expect(text).toContain(`url("${endpoint}/pictures/b.png")`)
    expect(text).toContain(`url("${endpoint}/pictures/white%20space.png")`)
    expect(double.requests.filter(({ method }) => method === 'PUT')).toHaveLength(3)
  } finally {
    await named.dispose()
    await double.close()
  }
})

describe("Farm's persistent cache", () => {
  const compilation = '{ persistentCache: true }'

  it('gives the types that are offered beside images to no stylesheet that is made again', async () => {
    const auto = `{ convert: 'auto' }`
    await buildProject(project, { options: auto, compilation })
    await project.write('src/style.css', `${await project.readText('src/style.css')} .c { color: red }`)
    const warm = await buildProject(project, { options: auto, compilation })
    await project.remove('node_modules/.farm')
    const cold = await buildProject(project, { options: auto, compilation })
    const css = [...warm.files].find(([name]) => name.endsWith('.css'))![1].toString()
    expect(css).toMatch(/url\("?\/style[^)]*\.png"?\);\s*background:image-set\(url\("[^)]*\.avif"\)/)
    expect([...warm.files.keys()]).toEqual([...cold.files.keys()])
    for (const [name, bytes] of warm.files) expect([name, bytes.equals(cold.files.get(name)!)]).toEqual([name, true])
  })

  it('gives the same output warm, and does not hide changes of images and options', async () => {
    const reported = async (): Promise<string[]> => {
      const { images } = JSON.parse(await project.readText('report.json')) as {
        images: { source: string; width: number }[]
      }
      return images.map(({ source, width }) => `${source} ${width}`).sort()
    }
    const cold = await buildProject(project, { options, compilation })
    const all = await reported()
    await project.remove('report.json')
    const warm = await buildProject(project, { options, compilation })
    expect(all).toHaveLength(6)
    expect(await reported()).toEqual(all)
    expect([...warm.files.keys()]).toEqual([...cold.files.keys()])
    for (const [name, bytes] of warm.files) expect([name, bytes.equals(cold.files.get(name)!)]).toEqual([name, true])

    for (const name of ['page', 'module', 'style'] as const) {
      await project.write(`src/${name}.png`, await photo(120, 90, 20).png())
      const before = [...cold.files.keys()].filter((file) => file.startsWith(`${name}.`))
      const changed = await buildProject(project, { options, compilation })
      expect(changed.code).toBe(0)
      const after = [...changed.files.keys()].filter((file) => file.startsWith(`${name}.`))
      expect([name, after.length, after.some((file) => before.includes(file))]).toEqual([name, before.length, false])
    }

    const same = await buildProject(project, { compilation })
    expect([...same.files.keys()].filter((file) => file.endsWith('.webp'))).toEqual([])
  })

  it('refers to the store of today, and tells of it as a build without the cache does', async () => {
    const double = await startGcsDouble('pictures', { old: 'write', new: 'write' })
    try {
      await project.write(
        'src/main.js',
        `import './style.css'; import a from './module.png?url'; console.log(a, new URL('./page.png', import.meta.url))`,
      )
      const build = async (
        folder: string,
        token: string,
      ): Promise<{ text: string; stored: object; manifest: string }> => {
        const store = {
          service: 'gcs',
          gcp_access_token: token,
          path: `pictures/${folder}`,
          endpoint: double.endpoint,
          manifest: 'stored.json',
        }
        const { code, printed, files } = await buildProject(project, {
          options: JSON.stringify({ store, report: { json: 'report.json' } }),
          compilation,
        })
        expect([code, printed]).toEqual([0, expect.any(String)])
        expect([...files.keys()].filter((file) => /\.(?:png|webp)$/.test(file))).toEqual(['media/public.png'])
        const text = [...files]
          .map(([name, bytes]) => (/\.(?:html|js|css)$/.test(name) ? bytes.toString() : ''))
          .join('')
        const { store: stored } = JSON.parse(await project.readText('report.json')) as { store: object }
        return { text, stored, manifest: await project.readText('stored.json') }
      }
      const cold = await build('a', 'old')
      expect(cold.stored).toMatchObject({ uploaded: 5, present: 0 })
      expect(cold.text.match(/\/pictures\/a\/[-\w]+\.[\da-f]{16}\.png/g)!.length).toBeGreaterThanOrEqual(6)
      await project.write('stored.json', '')
      const warm = await build('a', 'new')
      expect(warm).toEqual({ ...cold, stored: { service: 'gcs', uploaded: 0, present: 5, bytes: 0 } })
      const moved = await build('b', 'new')
      expect(moved.stored).toMatchObject({ uploaded: 5, present: 0 })
      expect(moved.text).not.toContain('/pictures/a/')
    } finally {
      await double.close()
    }
  })
})
