import { createProject, photo } from '@pixpress/testkit'
import { describe, it } from 'vitest'
import { VITES } from './build.ts'

const NAMES = ['module', 'directive', 'located', 'style', 'page', 'public'] as const

/** In the order in which they change; of the last its focal point does. */
const CHANGED = [...NAMES.slice(0, 5), 'cropped-40']

/** Builds in watch mode, changes one image after the other, and prints what each build emits. */
const SCRIPT = (vite: string): string => `
  import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
  import pixpress from 'unplugin-pixpress/vite'
  import { build } from '${vite}'
  const started = performance.now()
  const watcher = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [pixpress({ report: false })],
    build: { assetsInlineLimit: 0, watch: { buildDelay: 30 }, emptyOutDir: true },
  })
  const ended = () => new Promise((resolve, reject) => {
    const listen = (event) => {
      if (event.code === 'END') resolve()
      else if (event.code === 'ERROR') reject(event.error)
    }
    waiting = listen
  })
  let waiting = () => {}
  watcher.on('event', (event) => waiting(event))
  const images = () => {
    const texts = readdirSync('dist', { recursive: true }).filter((file) => /\\.(js|css|html)$/.test(file))
    const text = texts.map((file) => readFileSync('dist/' + file, 'utf8')).join('')
    return { referred: [...new Set(text.match(/[\\w-]+\\.png/g))].sort(), public: readFileSync('dist/public.png').length }
  }
  await ended()
  // Rolldown forgets what a build emitted a moment after its END, and with it what the next has emitted by then. The
  // moment is longer where the machine has other work.
  const moment = Math.max(300, (performance.now() - started) / 2)
  const states = [images()]
  for (const name of ${JSON.stringify(NAMES.slice(0, 5))}) {
    await new Promise((resolve) => setTimeout(resolve, moment))
    const built = ended()
    renameSync('changed/' + name + '.png', 'src/' + name + '.png')
    await built
    states.push(images())
  }
  await new Promise((resolve) => setTimeout(resolve, moment))
  const cropped = ended()
  writeFileSync('src/cropped.png.json', '{ "focus": [1, 0.5] }')
  await cropped
  states.push(images())
  await watcher.close()
  console.log(JSON.stringify(states))
  process.exit(0)
`

interface State {
  referred: string[]
  public: number
}

// They mostly wait, so all of them do at once.
describe.concurrent.each(VITES)('build --watch, %s', (vite) => {
  it('takes up every image that changes, and nothing else', async ({ expect }) => {
    const files: Record<string, string | Buffer> = {
      'index.html': `<img src="./src/page.png"><script type="module" src="./src/main.js"></script>`,
      'src/main.js': `import './style.css'\nimport module from './module.png'\nimport small from './directive.png?w=80'\nimport crop from './cropped.png?w=40&h=40&fit=cover'
console.log(module, small, crop, new URL('./located.png', import.meta.url).href)`,
      'src/cropped.png': await photo(120, 60, 30).png(),
      'src/cropped.png.json': '{ "focus": [0, 0.5] }',
      'src/style.css': `.a { background: url(./style.png) }`,
    }
    for (const [index, name] of NAMES.entries()) {
      files[name === 'public' ? 'public/public.png' : `src/${name}.png`] = await photo(96, 72, index + 1).png()
      files[`changed/${name}.png`] = await photo(96, 72, index + 11).png()
    }
    const project = await createProject('vite-watch', { packages: ['unplugin-pixpress', ...VITES], files })
    try {
      const { code, stdout, stderr } = await project.run(SCRIPT(vite), { timeout: 180_000 })
      expect(code, stderr).toBe(0)
      const states = JSON.parse(stdout) as State[]
      expect(states).toHaveLength(NAMES.length + 1)
      const publicSize = (await project.read('public/public.png')).length
      for (const [index, state] of states.entries()) {
        expect(state.referred).toHaveLength(6)
        expect(state.public).toBeLessThan(publicSize)
        const before = states[index - 1]
        if (before === undefined) continue
        const changed = state.referred.filter((name) => !before.referred.includes(name))
        expect(changed).toEqual([expect.stringMatching(new RegExp(`^${CHANGED[index - 1]}(?:-80)?-`))])
      }
    } finally {
      await project.dispose()
    }
  })
})
