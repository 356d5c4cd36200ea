import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, createProject, photo, requireTool } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProject } from '../vite/build.ts'
import type { BuildOutcome } from '../vite/build.ts'

const COMMAND = path.join(WORKSPACE, 'packages/cli/dist/bin.js')

/** Vue, which the plugin of this project's Vite compiles components for. */
const VUE = path.join(WORKSPACE, 'packages/unplugin/node_modules/vue/dist/vue.runtime.esm-bundler.js')

const FILES: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Every kind of reference</title>
  <style>
    body { margin: 0 }
    img { display: block; max-width: 100%; height: auto }
    .inline { width: 300px; height: 200px; background: url(./images/inline.jpg) center / cover }
  </style>
  <link rel="stylesheet" href="./style.css">
</head>
<body>
  <h1>Images</h1>
  <img class="hero" alt="In a page" loading="lazy" src="./images/page.jpg" width="1600" height="900">
  <div class="inline"></div>
  <div class="banner"></div>
  <img id="script" alt="By a script" width="300" height="200">
  <div id="app"></div>
  <div style="height: 4000px"></div>
  <img class="copied" alt="Copied" src="/copied.jpg" width="300" height="200">
  <script type="module" src="./main.js"></script>
</body>
</html>
`,
  'style.css': `.hero { width: 100%; max-width: 640px }
.banner {
  height: 300px;
  background: #ddd url("./images/style.jpg") center / cover;
}
`,
  'main.js': `import { createApp } from 'vue'
import App from './App.vue'
import script from './images/script.jpg'
document.querySelector('#script').src = script
createApp(App).mount('#app')
`,
  'App.vue': `<script setup>
import bound from './images/bound.jpg'
</script>

<template>
  <section>
    <img alt="Bound" class="wide" :src="bound" width="1600" height="900">
    <img alt="In a template" src="./images/component.jpg" width="1600" height="900" style="width: 200px">
  </section>
</template>

<style scoped>
.wide { width: 50vw }
</style>
`,
  'views/offer.hbs':
    '<h1>{{ title }}</h1>\n<img alt="Offered" src="/offer.jpg" width="300" height="200" loading="lazy">\n',
}

/** A server's rendering of the template. */
const OFFER = `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Offer</title></head><body>
<h1>Offer</h1><img alt="Offered" src="/offer.jpg" width="300" height="200" loading="lazy"></body></html>`

interface Found {
  readonly kind: string
  readonly source?: string
  readonly wasted: number
  readonly advice: readonly {
    readonly file: string
    readonly kind: string
    readonly isWritable: boolean
    readonly isWhole: boolean
  }[]
}

interface Audit {
  readonly findings: readonly Found[]
  readonly edits: readonly { readonly file: string; readonly kind: string }[]
}

const chromium = requireTool('chromium')
let project: Project
let first: Audit
let outcome: BuildOutcome
let second: Audit

const build = async (): Promise<BuildOutcome> => {
  const done = await buildProject(project, {
    config: `{ plugins: [(await import('@vitejs/plugin-vue')).default()], build: { assetsInlineLimit: 0 }, resolve: { alias: { vue: ${JSON.stringify(await realpath(VUE))} } } }`,
    options: "{ effort: 'fast' }",
  })
  await project.write('dist/offer.html', OFFER)
  return done
}

async function audit(...args: string[]): Promise<Audit> {
  const { code, stdout, stderr } = await project.exec(process.execPath, {
    args: [COMMAND, 'audit', 'dist', '--viewports', '390@2,1280', '--json', ...args],
    env: { CHROME_PATH: chromium! },
    timeout: 180_000,
  })
  expect([code, stderr]).toEqual([3, ''])
  return JSON.parse(stdout) as Audit
}

beforeAll(async () => {
  if (chromium === undefined) return
  project = await createProject('audit-advice', { packages: ['unplugin-pixpress', 'vite', '@vitejs/plugin-vue'] })
  for (const [file, text] of Object.entries(FILES)) await project.write(file, text)
  const names = ['page', 'inline', 'style', 'script', 'bound', 'component']
  for (const [seed, name] of names.entries()) {
    await project.write(`images/${name}.jpg`, await photo(1600, 900, seed + 1).jpeg(90))
  }
  for (const name of ['copied', 'offer']) {
    await project.write(`public/${name}.jpg`, await photo(1600, 1067, name.length + 10).jpeg(90))
  }
  expect((await build()).error).toBeUndefined()
  first = await audit('--write')
  outcome = await build()
  second = await audit('--write')
})

afterAll(() => project?.dispose())

/** `oversize images/page.jpg`, of findings that something can be written for. */
const mended = ({ findings }: Audit): string[] =>
  findings
    .filter(({ advice }) => advice.some(({ isWritable, isWhole }) => isWritable && isWhole))
    .map(({ kind, source }) => `${kind} ${source}`)

describe.skipIf(chromium === undefined)('pixpress audit --write', () => {
  it('has advice for every kind of reference, and writes it where it is certain', () => {
    const kinds = new Set(first.edits.map(({ file, kind }) => `${kind} ${file}`))
    expect([...kinds].sort()).toEqual([
      'css index.html',
      'css style.css',
      'html App.vue',
      'html index.html',
      'import App.vue',
      'import main.js',
      'public index.html',
    ])
    const template = first.findings
      .filter(({ source }) => source === 'public/offer.jpg')
      .flatMap(({ advice }) => advice)
    expect(template.map(({ kind, isWritable }) => [kind, isWritable])).toContainEqual(['template', false])
  })

  it('leaves a project that builds, without the findings it wrote for', () => {
    expect(outcome.error).toBeUndefined()
    expect(outcome.warnings).toEqual([])
    const before = mended(first)
    expect(before).toEqual(
      expect.arrayContaining([
        'oversize images/page.jpg',
        'old-format images/page.jpg',
        'lcp-lazy images/page.jpg',
        'background-oversize images/inline.jpg',
        'background-oversize images/style.jpg',
        'oversize images/script.jpg',
        'oversize images/bound.jpg',
        'oversize images/component.jpg',
        'eager-below-fold public/copied.jpg',
      ]),
    )
    const after = second.findings.map(({ kind, source }) => `${kind} ${source}`)
    expect(after.filter((each) => before.includes(each))).toEqual([])
  })

  it('has nothing more to write the second time', () => {
    expect(second.edits).toEqual([])
  })

  it('tells findings by the bytes that they waste', () => {
    const wasted = first.findings.filter(({ kind }) => kind !== 'upscaled').map((each) => each.wasted)
    expect(wasted).toEqual(wasted.toSorted((a, b) => b - a))
  })
})
