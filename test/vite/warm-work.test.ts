import { createProject, photo } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { buildProject } from './build.ts'

const USES = ['imported', 'styled', 'shown', 'located', 'public'] as const

/** Counts of what the plugin does in a build, as it asks the system for it. Vite's own calls are not among them. */
interface Work {
  /** Files that were opened to be read, by what they are; `output`: also to be written. */
  readonly opened: Readonly<Record<'source' | 'cache' | 'copy' | 'output', number>>
  readonly stats: number
  readonly realpaths: number
  /** Hashes of bytes. */
  readonly hashes: number
  /** Files that were read, written or looked at through the thread pool. */
  readonly pooled: number
}

/** Source text that builds with everything counted, and leaves the counts in a file. */
const COUNTED_BUILD = `
  const fs = (await import('node:fs')).default
  const crypto = (await import('node:crypto')).default
  const { syncBuiltinESMExports } = await import('node:module')
  const work = { opened: { source: 0, cache: 0, copy: 0, output: 0 }, stats: 0, realpaths: 0, hashes: 0, pooled: 0 }
  const isImage = (file) => /\\.jpg$|[\\\\/]v1[\\\\/]/.test(String(file))
  const kindOf = (file) =>
    /[\\\\/]v1[\\\\/]/.test(file) ? 'cache' : /[\\\\/]files[\\\\/]/.test(file) ? 'copy' : /[\\\\/]dist[\\\\/]/.test(file) ? 'output' : 'source'
  const isOurs = () => /[\\\\/](?:unplugin|core)[\\\\/]dist[\\\\/]/.test(new Error().stack.split('\\n').slice(3).find((line) => !line.includes('node:')) ?? '')
  const counted = (holder, name, count) => {
    const original = holder[name]
    holder[name] = Object.assign(function (...given) {
      const result = Reflect.apply(original, this, given)
      if (isOurs()) count(...given)
      return result
    }, original)
  }
  counted(fs, 'openSync', (file) => isImage(file) && work.opened[kindOf(String(file))]++)
  counted(fs, 'statSync', () => work.stats++)
  counted(fs.realpathSync, 'native', () => work.realpaths++)
  counted(crypto, 'hash', (_, data) => typeof data !== 'string' && work.hashes++)
  for (const name of ['readFile', 'writeFile', 'stat', 'rename', 'open', 'utimes']) counted(fs.promises, name, (file) => isImage(file) && work.pooled++)
  syncBuiltinESMExports()
  await build(config)
  fs.writeFileSync('work.json', JSON.stringify(work))
`

/** With `convert` somewhere, no build looks at a few images to say what it would save, which are some of all. */
const OPTIONS = `{ effort: 'fast', overrides: [{ include: 'none/**', convert: { type: 'image/webp' } }] }`

/** The work of a warm build of so many images in each use. */
async function warmWork(count: number): Promise<Work> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const project = await createProject('vite-warm-work', { packages: ['unplugin-pixpress', 'vite'] })
  try {
    for (const [at, use] of USES.entries()) {
      for (const number of numbers) {
        const folder = use === 'public' ? 'public' : 'src'
        await project.write(`${folder}/${use}${number}.jpg`, await photo(40, 30, at * 10 + number).jpeg(95))
      }
    }
    const list = (line: (number: number) => string): string => numbers.map(line).join('\n')
    await project.write(
      'src/style.css',
      list((n) => `.a${n} { background: url('./styled${n}.jpg') }`),
    )
    const imports = list((n) => `import image${n} from './imported${n}.jpg'`)
    const uses = list((n) => `console.log(image${n}, new URL('./located${n}.jpg', import.meta.url).href)`)
    await project.write('src/main.js', `import './style.css'\n${imports}\n${uses}`)
    const shown = list((n) => `<img src="./src/shown${n}.jpg">`)
    // A copy that nothing names is looked at once more, for the list of those.
    const named = list((n) => `<a href="/public${n}.jpg">`)
    await project.write('index.html', `${shown}${named}<script type="module" src="/src/main.js"></script>`)
    const config = '{ build: { assetsInlineLimit: 0 } }'
    await buildProject(project, { config, options: OPTIONS })
    const warm = await buildProject(project, { config, options: OPTIONS, run: COUNTED_BUILD })
    expect(warm).toMatchObject({ encoded: 0, images: count * USES.length, warnings: [] })
    return JSON.parse(await project.readText('work.json')) as Work
  } finally {
    await project.dispose()
  }
}

// `crypto.hash` and realpaths that need no other way are those of Linux and of Node from 20.12 on.
it.skipIf(process.platform !== 'linux')(
  'a warm build does the same few things for each more image of a use',
  async () => {
    const [few, more] = [await warmWork(2), await warmWork(4)]
    const each = (of: (work: Work) => number): number => (of(more) - of(few)) / 2
    const opened = (kind: keyof Work['opened']): number => each((work) => work.opened[kind])
    // One image in each of the five uses.
    expect({
      sources: opened('source'),
      entries: opened('cache'),
      // Those of stylesheets and pages, from where Vite takes them.
      copies: opened('copy'),
      // The one of `public/`: looked at, and written over.
      outputs: opened('output'),
      // Source, key and entry of each.
      hashes: each(({ hashes }) => hashes),
      // One of each file of the output besides: what nothing has worked on is told by its size.
      stats: each(({ stats }) => stats),
      realpaths: each(({ realpaths }) => realpaths),
      pooled: each(({ pooled }) => pooled),
    }).toEqual({ sources: 7, entries: 5, copies: 2, outputs: 2, hashes: 25, stats: 12, realpaths: 2, pooled: 0 })
  },
)
