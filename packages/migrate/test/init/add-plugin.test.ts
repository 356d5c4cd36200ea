import { describe, expect, it } from 'vitest'
import { addPlugin } from '../../src/init/add-plugin.ts'
import type { Addition } from '../../src/init/add-plugin.ts'
import type { Host } from '../../src/init/hosts.ts'
import { HOSTS } from '../../src/init/hosts.ts'

const add = (code: string, { edit, module }: Host = HOSTS.vite): Addition => addPlugin(code, edit!, module)

/** The configuration with the plugin. */
function added(code: string, host?: Host): string {
  const made = add(code, host)
  if (made.state !== 'added') throw new Error(`It is ${JSON.stringify(made)}.`)
  return made.text
}

const IMPORT = "import pixpress from 'unplugin-pixpress/vite'"

describe('addPlugin', () => {
  it('adds an item below the others, and the import below the others', () => {
    expect(
      added(`import { defineConfig } from 'vite'
import vue from '@vitejs/plugin-vue'

// https://vite.dev/config/
export default defineConfig({
  base: '/a/',
  plugins: [
    vue({ template: { compilerOptions: {} } }), // components
  ],
})
`),
    ).toBe(`import { defineConfig } from 'vite'
import vue from '@vitejs/plugin-vue'
${IMPORT}

// https://vite.dev/config/
export default defineConfig({
  base: '/a/',
  plugins: [
    vue({ template: { compilerOptions: {} } }),
    pixpress(), // components
  ],
})
`)
  })

  it.each([
    ['a list of one line', 'export default { plugins: [vue()] }', 'export default { plugins: [vue(), pixpress()] }'],
    ['an empty list', 'export default { plugins: [] }', 'export default { plugins: [pixpress()] }'],
    ['no list', 'export default { base: 1 }', 'export default { plugins: [pixpress()], base: 1 }'],
    ['nothing', 'export default {}', 'export default { plugins: [pixpress()] }'],
    ['nothing but a space', 'export default { }', 'export default { plugins: [pixpress()] }'],
    [
      'a function',
      'export default defineConfig(({ mode }) => ({ plugins: [a(mode)] }))',
      'export default defineConfig(({ mode }) => ({ plugins: [a(mode), pixpress()] }))',
    ],
    [
      'a function with a body',
      'export default defineConfig(async (env) => { const x = await y(); return { plugins: [x] } })',
      'export default defineConfig(async (env) => { const x = await y(); return { plugins: [x, pixpress()] } })',
    ],
    [
      'a variable with a type',
      'const config: UserConfig = { plugins: [a()] }\nexport default config',
      'const config: UserConfig = { plugins: [a(), pixpress()] }\nexport default config',
    ],
    [
      'a type behind it',
      'export default { plugins: [a()] } satisfies UserConfig',
      'export default { plugins: [a(), pixpress()] } satisfies UserConfig',
    ],
    [
      'items that may be missing',
      'export default { plugins: [a && b()].filter(Boolean) }',
      'export default { plugins: [a && b(), pixpress()].filter(Boolean) }',
    ],
  ])('finds the list in %s', (_, before, after) => {
    expect(added(before)).toBe(`${IMPORT}\n\n${after}`)
  })

  it('writes a member above the others, indented as they are', () => {
    expect(added(`export default {\n\tbase: '/',\n}\n`)).toBe(
      `${IMPORT}\n\nexport default {\n\tplugins: [pixpress()],\n\tbase: '/',\n}\n`,
    )
    expect(added('export default {\n}\n')).toBe(`${IMPORT}\n\nexport default {\n  plugins: [pixpress()],\n}\n`)
  })

  it('follows the quotes and semicolons of the file', () => {
    expect(added('import a from "a";\nexport default { plugins: [a()] };\n')).toBe(
      'import a from "a";\nimport pixpress from "unplugin-pixpress/vite";\nexport default { plugins: [a(), pixpress()] };\n',
    )
    expect(added("import a from 'a'\nexport default { plugins: [a()], run() { return 1; \n} }\n")).toContain(
      "import a from 'a'\nimport pixpress from 'unplugin-pixpress/vite'\nexport",
    )
  })

  it('requires it in CommonJS', () => {
    expect(
      added("'use strict'\nconst path = require('path')\nmodule.exports = {\n  entry: './a.js',\n}\n", HOSTS.webpack),
    ).toBe(
      "'use strict'\nconst pixpress = require('unplugin-pixpress/webpack')\nconst path = require('path')\nmodule.exports = {\n  plugins: [pixpress()],\n  entry: './a.js',\n}\n",
    )
  })

  it('leaves comments for the whole file above the import, and those of the configuration below', () => {
    expect(added("// @ts-check\n/** @type {import('vite').UserConfig} */\nexport default { plugins: [] }\n")).toBe(
      `// @ts-check\n${IMPORT}\n\n/** @type {import('vite').UserConfig} */\nexport default { plugins: [pixpress()] }\n`,
    )
    const behind = "import a from 'a' with { type: 'json' }\nimport type { B } from 'b'\nexport default { plugins: [] }"
    expect(added(behind)).toContain(`from 'b'\n${IMPORT}\nexport`)
  })

  it('puts the module of Nuxt before the others, without an import', () => {
    expect(added("export default defineNuxtConfig({ modules: ['@nuxt/image'] })", HOSTS.nuxt)).toBe(
      "export default defineNuxtConfig({ modules: ['@pixpress/nuxt', '@nuxt/image'] })",
    )
  })

  it('stands before a plugin that takes imports of images, above its comments', () => {
    const head = "import { enhancedImages as images } from '@sveltejs/enhanced-img'\n"
    const line = added(`${head}export default { plugins: [tailwind(), prod && images(), sveltekit()] }`)
    expect(line).toContain('[tailwind(), pixpress(), prod && images(), sveltekit()]')
    const first = added(
      `${head}export default {\n  plugins: [\n    // images\n    images(),\n    sveltekit(),\n  ],\n}\n`,
    )
    expect(first).toContain('  plugins: [\n    pixpress(),\n    // images\n    images(),\n    sveltekit(),\n  ],')
    const inline = "export default { plugins: [a(), (await import('@sveltejs/enhanced-img')).enhancedImages()] }"
    expect(added(inline)).toContain('[a(), pixpress(), (await import(')
    const url = "import url from '@rollup/plugin-url'\nexport default { plugins: [resolve(), url()] }"
    expect(added(url, HOSTS.rollup)).toContain('[resolve(), pixpress(), url()]')
  })

  it.each([
    ['{}', '{ webpack: { plugins: { add: [pixpress()] } } }'],
    ['{ style: {} }', '{ webpack: { plugins: { add: [pixpress()] } }, style: {} }'],
    ['{ webpack: { alias } }', '{ webpack: { plugins: { add: [pixpress()] }, alias } }'],
    ["{ webpack: { plugins: { remove: ['A'] } } }", "{ webpack: { plugins: { add: [pixpress()], remove: ['A'] } } }"],
    ['{ webpack: { plugins: { add: [a()] } } }', '{ webpack: { plugins: { add: [a(), pixpress()] } } }'],
    ['{ webpack: { plugins: [a()] } }', '{ webpack: { plugins: [a(), pixpress()] } }'],
    ['{ plugins: [{ plugin }] }', '{ webpack: { plugins: { add: [pixpress()] } }, plugins: [{ plugin }] }'],
  ])("is among craco's plugins of webpack in %s", (before, after) => {
    expect(added(`module.exports = ${before}\n`, HOSTS.craco)).toBe(
      `const pixpress = require('unplugin-pixpress/webpack')\n\nmodule.exports = ${after}\n`,
    )
  })

  it.each(['{ webpack: shared }', '{ webpack: [] }', '{ webpack: { ...a } }', '{ webpack: { plugins: { add: b } } }'])(
    'leaves a configuration of craco alone that is not certain: %s',
    (code) => {
      expect(add(`module.exports = ${code}`, HOSTS.craco).state).toBe('unclear')
    },
  )

  it('sees that it is there', () => {
    for (const code of [`${IMPORT}\nexport default { plugins: [pixpress()] }`, "x(require('unplugin-pixpress'))"]) {
      expect(add(code)).toEqual({ state: 'present' })
    }
  })

  it.each([
    'export default [{ plugins: [] }, { plugins: [] }]',
    'export default mergeConfig(base, { plugins: [] })',
    'export default { ...base }',
    'export default { ...base, base: 1 }',
    'export default { plugins }',
    'export default { plugins: common() }',
    'export default { plugins: [a()].concat(others) }',
    'export default { plugins: [], plugins: [a()] }',
    'export default { get plugins() { return [] } }',
    'export default make({ plugins: [] })',
    'export default (env) => { if (env.a) return { plugins: [] }\n return { plugins: [b()] } }',
    'let config = { plugins: [] }\nconfig = other\nexport default config',
    "export { default } from './other.js'",
    'export default { plugins: [a() }',
    'const pixpress = 1\nexport default { plugins: [] }',
    '',
  ])('leaves alone what is not certain: %s', (code) => {
    expect(add(code).state).toBe('unclear')
  })
})
