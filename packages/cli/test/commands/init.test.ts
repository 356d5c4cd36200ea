import { spawnSync } from 'node:child_process'
import { chmod, readFile, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { HOSTS, HOST_NAMES, linesFor } from '../../../migrate/src/init/hosts.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const init = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['init', ...args])
const manifest = (...names: readonly string[]): string =>
  JSON.stringify({ type: 'module', devDependencies: Object.fromEntries(names.map((name) => [name, '*'])) })
const CONFIG = "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n"

describe('pixpress init', () => {
  it('changes the configuration, shows how, and says what to install', async () => {
    await folder.write({ 'package.json': manifest('vite'), 'vite.config.ts': CONFIG, 'pnpm-lock.yaml': '' })
    const shown = `vite.config.ts
    2 + import pixpress from 'unplugin-pixpress/vite'
    4 -   plugins: [],
    5 +   plugins: [pixpress()],

Vite: 'vite.config.ts' $.

pixpress  Install it: pnpm add --save-dev unplugin-pixpress
`
    expect(await init('--dry-run')).toMatchObject({ code: 0, stdout: shown.replace('$', 'would change') })
    expect((await folder.read('vite.config.ts')).toString()).toBe(CONFIG)
    await chmod(path.join(folder.path, 'vite.config.ts'), 0o640)
    expect(await init()).toMatchObject({ code: 0, stdout: shown.replace('$', 'was changed') })
    expect((await folder.read('vite.config.ts')).toString()).toContain('plugins: [pixpress()]')
    if (process.platform !== 'win32')
      expect((await stat(path.join(folder.path, 'vite.config.ts'))).mode & 0o777).toBe(0o640)
    expect(await init()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("'vite.config.ts'") as string,
    })
  })

  it('makes a configuration that loads where Vite has none', async () => {
    await folder.write({ 'web/package.json': manifest('vite', 'unplugin-pixpress') })
    expect(await init('web')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Install') as string })
    expect(await folder.files()).toEqual(['web/package.json', 'web/vite.config.mjs'])
    await symlink(
      path.resolve(import.meta.dirname, '../../../..', 'test/node_modules'),
      path.join(folder.path, 'web/node_modules'),
    )
    const loaded = spawnSync(
      process.execPath,
      ['-e', "import('./vite.config.mjs').then(({ default: { plugins } }) => console.log(plugins.flat().length > 0))"],
      { cwd: path.join(folder.path, 'web'), encoding: 'utf8' },
    )
    expect(loaded.stdout).toBe('true\n')
  })

  it('prints the lines where the configuration is not understood, and ends with 1', async () => {
    const config = 'export default [{}, {}]\n'
    await folder.write({ 'package.json': manifest('rollup'), 'rollup.config.js': config })
    const { code, stdout } = await init()
    expect(code).toBe(1)
    expect(stdout).toContain("'rollup.config.js'")
    expect(stdout).toContain("  import pixpress from 'unplugin-pixpress/rollup'\n  plugins: [pixpress()]\n")
    expect((await folder.read('rollup.config.js')).toString()).toBe(config)
  })

  it('prints the lines for a CommonJS configuration with require()', async () => {
    const config = "const { merge } = require('webpack-merge')\nmodule.exports = (env) => merge(a, env.b ? b : c)\n"
    await folder.write({ 'package.json': manifest('webpack'), 'webpack.config.js': config })
    const { code, stdout } = await init()
    expect(code).toBe(1)
    expect(stdout).toContain("  const pixpress = require('unplugin-pixpress/webpack')\n  plugins: [pixpress()]\n")
    expect(stdout).not.toContain('import pixpress')
  })

  it("prints require() where there is no configuration in a CommonJS project, of the folder's or one above", async () => {
    await folder.write({ 'package.json': '{ "devDependencies": { "webpack": "*" } }', 'web/a.js': '' })
    const line = "  const pixpress = require('unplugin-pixpress/webpack')\n  plugins: [pixpress()]\n"
    expect((await init()).stdout).toContain(line)
    expect((await init('web', '--bundler', 'webpack')).stdout).toContain(line)
    await folder.write({ 'webpack.config.js': '// nothing yet\n' })
    expect((await init()).stdout).toContain(line)
    await folder.write({ 'package.json': '{ "devDependencies": { "astro": "*" } }' })
    expect((await init('--bundler', 'astro')).stdout).toContain("  import pixpress from '@pixpress/astro'\n")
  })

  it('adds the plugin to the webpack of create-react-app by the configuration of craco', async () => {
    const dependencies = JSON.stringify({ 'react-scripts': '5.0.1', '@craco/craco': '7.1.0', webpack: '5' })
    const config = "const path = require('path')\n\nmodule.exports = {\n  webpack: {\n    alias: {},\n  },\n}\n"
    await folder.write({ 'package.json': `{ "dependencies": ${dependencies} }` })
    const { code, stdout } = await init()
    expect(code).toBe(1)
    expect(stdout).toContain(
      "\n  const pixpress = require('unplugin-pixpress/webpack')\n  webpack: { plugins: { add: [pixpress()] } }\n",
    )
    await folder.write({ 'craco.config.js': config })
    expect((await init()).code).toBe(0)
    expect((await folder.read('craco.config.js')).toString()).toBe(
      `const pixpress = require('unplugin-pixpress/webpack')\n${config.replace('webpack: {\n', 'webpack: {\n    plugins: { add: [pixpress()] },\n')}`,
    )
  })

  it('says of create-react-app without craco that it takes no plugins, and what to do', async () => {
    await folder.write({ 'package.json': '{ "dependencies": { "react-scripts": "5.0.1", "webpack": "5" } }' })
    expect(await init()).toMatchObject({
      code: 2,
      stderr: naming("'@craco/craco'", "'npx pixpress compress'"),
    })
    await folder.write({ 'vite.config.js': CONFIG })
    expect((await init('--dry-run')).stdout).toContain("'vite.config.js'")
  })

  it('promises that a plugin is replaced only where that command replaces it', async () => {
    const head = "const Images = require('image-minimizer-webpack-plugin')\nmodule.exports = "
    const files = { 'package.json': manifest('react-scripts', '@craco/craco', 'image-minimizer-webpack-plugin') }
    await folder.write({ ...files, 'craco.config.js': `${head}{ webpack: { plugins: { add: [new Images()] } } }\n` })
    expect((await init()).stdout).toEqual(naming('(craco.config.js:1)', "'npx pixpress migrate --write'"))
    await folder.write({ 'craco.config.js': `${head}{ webpack: { configure: (all) => all.push(new Images()) } }\n` })
    expect((await init()).stdout).toEqual(naming('(craco.config.js:1)', "'npx pixpress migrate'"))
  })

  it('sees the plugin in a script that the configuration is made of', async () => {
    await folder.write({
      'package.json': manifest('webpack', 'unplugin-pixpress'),
      'webpack.config.js': "module.exports = merge(base, require('./webpack.prod.js'))\n",
      'webpack.prod.js':
        "const pixpress = require('unplugin-pixpress/webpack')\nmodule.exports = { plugins: [pixpress()] }\n",
    })
    expect(await init()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("'webpack.prod.js'") as string,
    })
  })

  it('changes nothing beside another plugin for images, and names the command that replaces it', async () => {
    const config = `import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\n${CONFIG.replace('[]', '[ViteImageOptimizer()]')}`
    await folder.write({ 'package.json': manifest('vite', 'vite-plugin-image-optimizer'), 'vite.config.ts': config })
    const said = {
      code: 1,
      stdout:
        "Vite: nothing is changed, as the project uses 'vite-plugin-image-optimizer' (vite.config.ts:1), which 'npx pixpress migrate --write' replaces.\n",
    }
    expect(await init()).toMatchObject(said)
    expect(await init()).toMatchObject(said)
    expect((await folder.read('vite.config.ts')).toString()).toBe(config)
    const both = config.replace('[Vite', '[pixpress(), Vite')
    await folder.write({ 'vite.config.ts': `import pixpress from 'unplugin-pixpress/vite'\n${both}` })
    expect((await init()).stdout).toEqual(
      naming(
        "'vite.config.ts'",
        "'vite-plugin-image-optimizer'",
        '(vite.config.ts:2)',
        "'npx pixpress migrate --write'",
      ),
    )
  })

  it('finds another plugin in a script beside the configuration, and not in a package of its own', async () => {
    const minimizer = "module.exports = { plugins: [new (require('image-minimizer-webpack-plugin'))()] }\n"
    const files = { 'web/package.json': manifest('webpack'), 'web/webpack.config.js': 'module.exports = {}\n' }
    await folder.write({ ...files, 'web/webpack.prod.js': minimizer })
    expect((await init('web')).stdout).toEqual(naming('(webpack.prod.js:1)', "'npx pixpress migrate web'"))
    await folder.write({ 'package.json': manifest('webpack'), 'webpack.config.js': 'module.exports = {}\n' })
    expect((await init()).code).toBe(0)
  })

  it.each([
    [
      'astro.config.mjs',
      ['astro', 'vite'],
      "import pixpress from '@pixpress/astro'\n\nexport default { integrations: [pixpress()] }\n",
    ],
    ['nuxt.config.ts', ['nuxt'], "export default { modules: ['@pixpress/nuxt'] }\n"],
  ])('takes a framework before its bundler: %s', async (file, names, after) => {
    await folder.write({ 'package.json': manifest(...names), [file]: 'export default {}\n' })
    expect((await init()).code).toBe(0)
    expect((await folder.read(file)).toString()).toBe(after)
  })

  it('knows each host by its package, and tells what there is to write', async () => {
    for (const name of HOST_NAMES) {
      const { title, packages, newFile } = HOSTS[name]
      await folder.write({ 'package.json': manifest(packages[0]!) })
      const { code, stdout } = await init('--dry-run')
      expect(stdout).toContain(`${title}: `)
      expect(stdout).toContain(linesFor(HOSTS[name], 'esm')[0])
      expect(code).toBe(newFile === undefined ? 1 : 0)
    }
  })

  it('asks which of two configurations is meant, and takes the answer', async () => {
    await folder.write({ 'vite.config.js': CONFIG, 'rollup.config.js': 'export default {}\n' })
    expect(await init()).toMatchObject({
      code: 2,
      stderr: naming("'vite.config.js'", "'rollup.config.js'", '--bundler vite'),
    })
    expect((await init('--bundler', 'rollup')).code).toBe(0)
    expect((await folder.read('vite.config.js')).toString()).toBe(CONFIG)
    expect((await init('--bundler', 'rolup')).stderr).toContain("'rollup'")
  })

  it('ends with 2 where nothing tells the bundler', async () => {
    expect((await init()).stderr).toContain('bundler was found')
    expect((await init('nowhere')).stderr).toContain("'nowhere'")
  })
})

describe('pixpress init and old versions', () => {
  it.each([
    ['vite', '4.5.3', 'vite.config.js', 'plugins'],
    ['webpack', '5.89.0', 'webpack.config.js', 'plugins'],
    ['rollup', '3.29.4', 'rollup.config.js', 'plugins'],
    ['astro', '4.16.0', 'astro.config.mjs', 'integrations'],
    ['nuxt', '3.11.2', 'nuxt.config.ts', 'modules'],
  ])('changes nothing, and says what to update: %s %s', async (name, version, file, list) => {
    const config = `export default { ${list}: [] }\n`
    await folder.write({
      'package.json': manifest(name),
      [`node_modules/${name}/package.json`]: JSON.stringify({ version }),
      [file]: config,
    })
    expect(await init()).toMatchObject({
      code: 1,
      stdout: naming(name, version, `npm install --save-dev ${name}@`),
    })
    expect((await folder.read(file)).toString()).toBe(config)
  })

  it('has the versions of the manifests that refuse others', async () => {
    const text = await readFile(path.resolve(import.meta.dirname, '../../../unplugin/package.json'), 'utf8')
    const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> }
    for (const name of ['vite', 'webpack', 'rspack', 'rsbuild', 'rolldown', 'rollup', 'esbuild'] as const)
      for (const [needed, least] of Object.entries(HOSTS[name].needs))
        if (needed !== '@sveltejs/kit')
          expect(peerDependencies[needed]).toMatch(new RegExp(`^>=${least}(?:\\.0)?(?: |$)`))
  })
})

describe('pixpress init beside a plugin that can stay', () => {
  const KIT = `import { enhancedImages } from '@sveltejs/enhanced-img'\nexport default { plugins: [enhancedImages(), sveltekit()] }\n`
  const pages = {
    'src/routes/+page.svelte': '<enhanced:img src="./a.jpg" alt="" />\n<enhanced:img src="./b.jpg" alt="" />\n',
    'src/lib/hero.ts': "import hero from './hero.jpg?w=640&enhanced'\nimport other from './other.jpg?w=640'\n",
  }

  it('says which images stay, and how to move them', async () => {
    await folder.write({ 'package.json': manifest('vite', '@sveltejs/kit'), 'vite.config.js': KIT, ...pages })
    const said = naming(
      '3',
      "'@sveltejs/enhanced-img'",
      'src/lib/hero.ts  1',
      'src/routes/+page.svelte  2',
      'as=picture',
    )
    expect(await init('--dry-run')).toMatchObject({ code: 0, stdout: said })
    expect((await folder.run(['migrate'])).stdout).toEqual(said)
    expect(await init()).toMatchObject({ code: 0, stdout: said })
    // It is there already.
    expect(await init()).toMatchObject({ code: 0, stdout: said })
  })

  it('counts the queries of globs, and neither comments nor code that Markdown shows', async () => {
    await folder.write({
      'package.json': manifest('vite', '@sveltejs/kit'),
      'vite.config.js': KIT,
      'src/lib/all.ts':
        "import.meta.glob('./*.jpg', {\n  eager: true,\n  query: { w: '400;800', enhanced: true },\n})\n",
      'src/lib/text.ts': "import.meta.glob('./*.png', { query: 'enhanced&w=400' })\n",
      'src/posts/shown.md':
        'Called `<enhanced:img>`:\n\n```html\n<enhanced:img src="./a.jpg" />\n```\n\n<!-- <enhanced:img src="./b.jpg" /> -->\n',
    })
    const { stdout } = await init('--dry-run')
    expect(stdout).toEqual(naming('2', 'src/lib/all.ts  1', 'src/lib/text.ts  1'))
    expect(stdout).not.toContain('shown.md')
  })

  it('says so too where the lines are to be added by hand, and where nothing is left', async () => {
    await folder.write({ 'package.json': manifest('vite'), 'vite.config.js': KIT.replace('[enh', '[...all, enh') })
    expect((await init('--dry-run')).stdout).toContain("'@sveltejs/enhanced-img'")
    await folder.write({
      'vite.config.js': KIT.replace('{ plugins: [', 'merge({}, { plugins: [').replace('] }', '] })'),
      ...pages,
    })
    expect(await init()).toMatchObject({ code: 1, stdout: naming('src/routes/+page.svelte  2') })
  })

  it('knows the other plugin for Svelte', async () => {
    await folder.write({
      'package.json': manifest('vite'),
      'vite.config.js':
        "import { imageToolsConfig } from '@zerodevx/svelte-img/vite'\nexport default { plugins: [sveltekit(), imageToolsConfig()] }\n",
      'src/a.svelte': "<script>import a from './a.jpg?as=run'</script>\n",
    })
    expect(await init('--dry-run')).toMatchObject({ code: 0, stdout: naming('src/a.svelte  1', "'as=run'") })
  })
})
