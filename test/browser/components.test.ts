import { createProject, photo, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST } from '../vite/build.ts'
import type { ViteName } from '../vite/build.ts'
import { launch } from './chromium.ts'
import { lookAt } from './component-site.ts'

/** One component in each library, with images in all ways in which a template can show one. */
const SOURCES = {
  react: {
    'src/App.jsx': `
      import { createElement, useState } from 'react'
      import hero from './hero.png'
      import card from './card.png'
      import data from './data.js'
      const beside = new URL('./beside.png', import.meta.url).href
      export default function App() {
        const [clicks, setClicks] = useState(0)
        return (
          <main className="page">
            <img src={hero} alt="hero" className="hero" width="300" id="hero" onClick={() => setClicks(clicks + 1)} />
            <output>{clicks}</output>
            <ul className="list">{[1, 2].map((each) => <li key={each}><img src={card} alt={'card ' + each} /></li>)}</ul>
            <div className="row">{data.map(({ name, url }) => <img key={name} src={url} alt={name} width="90" height="60" />)}</div>
            <div className="strict"><img src={card} alt="strict" /></div>
            <p><img src="/copied.png" alt="copied" width="70" /></p>
          </main>
        )
      }`,
    'src/client.jsx': `
      import { hydrateRoot } from 'react-dom/client'
      import App from './App.jsx'
      import './style.css'
      hydrateRoot(document.querySelector('#root'), <App />, { onRecoverableError: (error) => console.error('hydration', error) })`,
    'src/server.jsx': `
      import { renderToString } from 'react-dom/server'
      import App from './App.jsx'
      export const html = () => renderToString(<App />)`,
  },
  vue: {
    'src/App.vue': `
      <script setup lang="ts">
      import { ref } from 'vue'
      import hero from './hero.png'
      import data from './data.js'
      const beside = new URL('./beside.png', import.meta.url).href
      const clicks = ref<number>(0)
      </script>
      <template>
        <main class="page">
          <img id="hero" :src="hero" alt="hero" class="hero" width="300" @click="clicks++" />
          <output>{{ clicks }}</output>
          <ul class="list"><li v-for="each in 2" :key="each"><img src="./card.png" :alt="'card ' + each" /></li></ul>
          <div class="row"><img v-for="{ name, url } in data" :key="name" :src="url" :alt="name" width="90" height="60" /></div>
          <div class="strict"><img src="./card.png" alt="strict" /></div>
          <p><img src="/copied.png" alt="copied" width="70" /></p>
        </main>
      </template>
      <style scoped>.hero { outline: 1px solid red } .list img { width: 120px }</style>`,
    'src/client.jsx': `
      import { createSSRApp } from 'vue'
      import App from './App.vue'
      import './style.css'
      createSSRApp(App).mount('#root')`,
    'src/server.jsx': `
      import { createSSRApp } from 'vue'
      import { renderToString } from 'vue/server-renderer'
      import App from './App.vue'
      export const html = () => renderToString(createSSRApp(App))`,
  },
} as const

type Library = keyof typeof SOURCES

/** The stylesheet of the client's entry, of which the server knows nothing. */
const STYLES = `
body { margin: 0 } img { max-width: 100%; height: auto } ul { padding: 0 }
.list { display: flex; gap: 10px } .row { display: grid; grid-template-columns: repeat(3, 1fr) }
.strict > img { border: 5px solid } .hero { border: 2px solid }`

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,"></head><body><div id="root"><!--app--></div><script type="module" src="/src/client.jsx"></script></body></html>`

const executable = requireTool('chromium')

describe.skipIf(executable === undefined)('components in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executable!)
  })
  afterAll(() => browser?.close())

  // The plugin of Vue does not run in the oldest, and JSX needs none.
  const rows = NEWEST_AND_OLDEST.flatMap((vite): [ViteName, Library][] =>
    vite === 'vite'
      ? [
          [vite, 'react'],
          [vite, 'vue'],
        ]
      : [[vite, 'react']],
  )
  it.each(rows)(
    'show images in the format of the build with %s, and are taken over from a server without a word: %s',
    async (vite, library) => {
      const project = await createComponents(library)
      try {
        await build(project, vite, library, false)
        await build(project, vite, library, true)
        const [plain, ours] = [
          await lookAt(browser, project.path('plain')),
          await lookAt(browser, project.path('ours')),
        ]
        expect([plain.problems, ours.problems]).toEqual([[], []])
        expect([plain.clicked, ours.clicked]).toEqual(['1', '1'])
        expect(ours.boxes).toEqual(plain.boxes)
        expect(ours.shown).toEqual({
          hero: 'avif',
          'card 1': 'avif',
          'card 2': 'avif',
          one: 'avif',
          two: 'avif',
          copied: 'avif',
          shared: 'avif',
          listed: 'avif',
          joined: 'avif',
          lost: 'gif',
          far: 'gif',
          strict: 'avif',
        })
        expect(ours.bytes).toBeLessThan(plain.bytes / 2)
      } finally {
        await project.dispose()
      }
    },
  )
})

/** An image that lies elsewhere as far as the build goes. */
const FAR = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

const image = (width: number, height: number): Promise<Buffer> => photo(width, height).png()

async function createComponents(library: Library): Promise<Project> {
  return createProject(`components-${library}`, {
    packages: ['unplugin-pixpress', 'react', 'react-dom', 'vue', '@vitejs/plugin-vue', 'esbuild', ...NEWEST_AND_OLDEST],
    files: {
      'package.json': '{"type":"module"}',
      'index.html': PAGE,
      'src/style.css': STYLES,
      'src/data.js': `import one from './one.png'; import two from './two.png'; import more from './more.json'
        export default [{ name: 'one', url: one }, { name: 'two', url: two }, { name: 'far', url: '${FAR}' },
          { name: 'shared', url: '/of all/shared.png' }, ...more, { name: 'joined', url: ['/of all', 'joined.png'].join('/') }, { name: 'lost', url: '${FAR}#/lost.png' }]`,
      'src/more.json': '[{ "name": "listed", "url": "/of%20all/listed.png" }]',
      'public/of all/shared.png': await image(190, 130),
      'public/of all/joined.png': await image(170, 130),
      'public/of all/listed.png': await image(180, 130),
      'src/hero.png': await image(320, 200),
      'src/card.png': await image(240, 160),
      'src/beside.png': await image(230, 160),
      'src/one.png': await image(220, 140),
      'public/copied.png': await image(210, 140),
      'src/two.png': await image(200, 130),
      ...SOURCES[library],
    },
  })
}

/** Builds the client and then the server, each in a process of its own, and writes the page that the server gives. */
async function build(project: Project, vite: ViteName, library: Library, isOurs: boolean): Promise<void> {
  const folder = isOurs ? 'ours' : 'plain'
  const config = `
    import { build } from '${vite}'
    ${library === 'vue' ? `import vue from '@vitejs/plugin-vue'` : ''}
    ${isOurs ? `import pixpress from 'unplugin-pixpress/vite'` : ''}
    const plugins = [${library === 'vue' ? 'vue(),' : ''} ${isOurs ? `pixpress({ convert: 'auto', report: false })` : ''}]
    const jsx = ${vite === 'vite' ? `{ oxc: { jsx: { runtime: 'automatic' } } }` : `{ esbuild: { jsx: 'automatic' } }`}
    const common = { configFile: false, logLevel: 'error', plugins, ...jsx,
      // Vue then says where.
      define: { __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true' } }`
  const run = async (script: string): Promise<void> => {
    const { code, stderr, stdout } = await project.run(`${config}\n${script}`)
    if (code !== 0) throw new Error(`${stdout}\n${stderr}`)
  }
  await run(`await build({ ...common, build: { outDir: '${folder}', assetsInlineLimit: 0 } })`)
  await run(
    `await build({ ...common, build: { outDir: '${folder}-server', ssr: 'src/server.jsx', assetsInlineLimit: 0, rollupOptions: { output: { entryFileNames: 'server.mjs' } } } })
     const { html } = await import('./${folder}-server/server.mjs')
     const { readFile, writeFile } = await import('node:fs/promises')
     const page = await readFile('${folder}/index.html', 'utf8')
     await writeFile('${folder}/index.html', page.replace('<!--app-->', await html()))`,
  )
}
