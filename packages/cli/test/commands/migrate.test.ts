import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PROJECT_OPTIONS } from '@pixpress/core/internal'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { TOOLS } from '../../../migrate/src/tools/tools.ts'
import { ownVersion } from '../../src/base/exit.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const page = (name: string): Promise<string> =>
  readFile(path.resolve(import.meta.dirname, '../../../../docs', `${name}.md`), 'utf8')

/** The configurations before and after, as a page of the documentation shows them, without their first comments. */
async function shownIn(name: string): Promise<{ before: string; after: string }> {
  const [before, after] = ['before', 'after'].map((which) => new RegExp(`\\/\\/ ${which}: [\\w.]+\\n([^]*?)\`\`\``))
  const text = await page(name)
  return { before: before!.exec(text)![1]!, after: after!.exec(text)![1]! }
}

const BUNDLERS: ReadonlySet<string> = new Set(['vite', 'webpack'])
const manifest = (...names: readonly string[]): string =>
  `${JSON.stringify({ name: 'x', devDependencies: Object.fromEntries(names.map((name) => [name, BUNDLERS.has(name) ? '*' : '^1.0.0'])) }, null, 2)}\n`

/** However lists are laid out. */
const inOneLine = (code: string): string =>
  code
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\[) | (?=\])|,(?= ?[\]}])/g, '')
    .replaceAll(/ (?=\])/g, '')

const withoutComments = (code: string): string => code.replaceAll(/ *\/\/.*$/gm, '')

/** Migrates a project of one configuration, and gives what it became. */
async function migrated(
  tool: string,
  file: string,
  code: string,
  flags: readonly string[] = [],
): Promise<{ code: number; text: string; stdout: string; stderr: string }> {
  await folder.write({ [file]: code })
  const ended = await folder.run(['migrate', tool, '--write', ...flags])
  return { ...ended, text: (await folder.read(file)).toString() }
}

/** Returns what the command says of settings that keep every pixel of the files of a glob. */
const every = (glob: string): string =>
  `: every pixel stays with 'overrides: [{ include: '${glob}', lossless: true }]' alone`

describe('pixpress migrate', () => {
  it.each([
    ['image-optimizer', 'migrating-from-vite-plugin-image-optimizer', 'vite.config.js'],
    ['imagemin', 'migrating-from-unplugin-imagemin', 'vite.config.js'],
    ['image-minimizer', 'migrating-from-image-minimizer-webpack-plugin', 'webpack.config.js'],
  ])('%s makes of the configuration before in docs/%s.md the one after', async (tool, name, file) => {
    const { before, after } = await shownIn(name)
    const { code, text } = await migrated(tool, file, before)
    expect(inOneLine(text)).toBe(inOneLine(withoutComments(after)))
    expect(code).toBe(0)
  })

  it('changes nothing unless it is told to, and shows every line', async () => {
    const { before } = await shownIn('migrating-from-unplugin-imagemin')
    const files = { 'vite.config.js': before, 'package.json': manifest('sharp', 'unplugin-imagemin', 'vite') }
    await folder.write(files)
    const { stdout, code } = await folder.run(['migrate', 'imagemin'])
    expect(code).toBe(0)
    expect(stdout).toContain(
      "    3 - import imagemin from 'unplugin-imagemin/vite'\n    3 + import pixpress from 'unplugin-pixpress/vite'",
    )
    expect(stdout).toContain(`    5 +     "unplugin-pixpress": "^${ownVersion()}",`)
    expect(stdout).toContain("  vite.config.js:9  'compress': 'quality' ")
    expect(stdout).toContain("  package.json:4  'sharp' ")
    expect(stdout).toMatch(/\n\npixpress {2}2 files .*'--write'.*\n$/)
    for (const [name, text] of Object.entries(files)) expect((await folder.read(name)).toString()).toBe(text)
  })

  it('says which settings keep every pixel, and what keeps them here', async () => {
    const quality = ": 'quality' is one promise for every type"
    const code = [
      "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'",
      'export default { plugins: [ViteImageOptimizer({',
      '  webp: { lossless: true },',
      '  avif: { quality: 60, lossless: false },',
      '})] }',
    ].join('\n')
    const { stdout } = await migrated('image-optimizer', 'vite.config.js', code)
    expect(stdout).toContain(`'webp'${every('**/*.webp')}`)
    expect(stdout).toContain(`'avif'${quality}`)
    const imagemin = [
      "import viteImagemin from 'vite-plugin-imagemin'",
      'export default { plugins: [viteImagemin({ optipng: { optimizationLevel: 7 }, mozjpeg: { quality: 20 } })] }',
    ].join('\n')
    const other = await migrated('imagemin', 'vite.config.js', imagemin)
    expect(other.stdout).toContain(`'optipng'${every('**/*.png')}`)
    expect(other.stdout).toContain(`'mozjpeg'${quality}`)
  })

  it('puts the dependency where the other was, and can be run once only', async () => {
    const code =
      "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\nexport default { plugins: [ViteImageOptimizer()] }\n"
    await folder.write({ 'package.json': manifest('a', 'vite-plugin-image-optimizer', 'z') })
    expect((await migrated('image-optimizer', 'vite.config.ts', code)).text).toBe(
      "import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress()] }\n",
    )
    const after = JSON.parse((await folder.read('package.json')).toString()) as { devDependencies: object }
    expect(after.devDependencies).toEqual({ a: '^1.0.0', 'unplugin-pixpress': `^${ownVersion()}`, z: '^1.0.0' })
    expect(await folder.run(['migrate', 'image-optimizer'])).toMatchObject({
      code: 0,
      stdout: naming('vite-plugin-image-optimizer', "'.'", "'npx pixpress init'", "'vite.config.ts'"),
    })
  })

  it('imagetools: takes filters and the cache over, and leaves no directive with another meaning', async () => {
    const code = [
      "import { imagetools as tools } from 'vite-imagetools';",
      '',
      "export default { plugins: [tools({ include: ['**/*.jpg'], removeMetadata: true, cache: { dir: '.img' } })] };",
      '',
    ].join('\n')
    await folder.write({
      'src/a.ts':
        "import a from './a.jpg?w=300&quality=75&as=img'\nimport b from './b.png?quality=50'\nimport c from './c.png?w=2'\n",
    })
    const { text, stdout } = await migrated(
      'imagetools',
      'vite.config.mjs',
      code.replace("['**/*.jpg']", "['**/*.jpg', '**/*.jpg?*']"),
    )
    expect(stdout).toContain("'report: { baseline: true }'")
    expect(text).toMatch(/^import pixpress from 'unplugin-pixpress\/vite';\n/)
    expect(text).toContain("pixpress({ compat: 'imagetools', include: '**/*.jpg', cache: { dir: '.img' } })")
    const source = (await folder.read('src/a.ts')).toString()
    for (const query of ['./a.jpg?w=300&quality=75&as=img', './b.png?quality=50', './c.png?w=2']) {
      expect(source).toContain(query)
    }
  })

  it.each([
    ['an object', "{ format: 'avif;webp', quality: 70 }"],
    ['URLSearchParams', "new URLSearchParams('format=webp')"],
    ['a function of words of the project', "(url) => (url.searchParams.has('card') ? CARD : NONE)"],
    ['a function', "(url) => new URLSearchParams(url.searchParams.has('w') ? 'format=webp' : 'w=300')"],
  ])('imagetools: takes default directives over, %s', async (_, written) => {
    const code = [
      "import { imagetools } from 'vite-imagetools'",
      `export default { plugins: [imagetools({ defaultDirectives: ${written}, namedExports: false })] }`,
      '',
    ].join('\n')
    const { text, code: ended } = await migrated('imagetools', 'vite.config.js', code)
    expect(inOneLine(text)).toContain(`compat: 'imagetools', defaultDirectives: ${written}, namedExports: false`)
    expect(ended).toBe(0)
    for (const option of ['compat', 'defaultDirectives', 'namedExports', 'outputs']) {
      expect(Object.keys(PROJECT_OPTIONS)).toContain(option)
    }
  })

  it('changes queries of image-minimizer-webpack-plugin in scripts, styles and pages', async () => {
    const { before } = await shownIn('migrating-from-image-minimizer-webpack-plugin')
    await folder.write({
      'src/a.js': "new URL('./coffee.png?as=webp&width=400', import.meta.url)\nimport x from './x.png?as=thumb'\n",
      'src/a.css': '#hero { background: url(./temple.jpg?width=400&height=auto) }\n',
      'src/a.html': '<img src="./a.jpg?as=avif&amp;w=20"><img src="./b.jpg?w=20&token=1">\n',
    })
    const { code, stdout } = await migrated('image-minimizer', 'rspack.config.js', before)
    expect((await folder.read('rspack.config.js')).toString()).toContain("from 'unplugin-pixpress/rspack'")
    expect((await folder.read('src/a.js')).toString()).toContain("'./coffee.png?format=webp&w=400'")
    expect((await folder.read('src/a.css')).toString()).toContain('url(./temple.jpg?w=400)')
    expect((await folder.read('src/a.html')).toString()).toBe(
      '<img src="./a.jpg?format=avif&amp;w=20"><img src="./b.jpg?w=20&token=1">\n',
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/ {2}src\/a\.js:2 {2}'\?as=thumb': 'thumb' .*'\?preset=thumb'/)
  })

  it('leaves other minimizers and other plugins where they are', async () => {
    const code = `const Images = require("image-minimizer-webpack-plugin")
module.exports = {
  optimization: { minimizer: [new Terser(), new Images({ minimizer: { implementation: Images2 } })] },
  plugins: [
    new Html(),
  ],
}
`
    expect((await migrated('image-minimizer', 'webpack.prod.js', code)).text).toBe(
      `const pixpress = require("unplugin-pixpress/webpack")
module.exports = {
  optimization: { minimizer: [new Terser()] },
  plugins: [
    new Html(),
    pixpress(),
  ],
}
`,
    )
  })

  it('keeps a list of minimizers that had no others, as without a list there are', async () => {
    const code = `const Images = require('image-minimizer-webpack-plugin')
module.exports = { optimization: { minimizer: [new Images()] }, plugins: [] }
`
    expect((await migrated('image-minimizer', 'webpack.config.js', code)).text).toBe(
      `const pixpress = require('unplugin-pixpress/webpack')
module.exports = { optimization: { minimizer: [] }, plugins: [pixpress()] }
`,
    )
  })

  it('takes no list of another object for that of the plugins', async () => {
    const code = `const Images = require('image-minimizer-webpack-plugin')
module.exports = {
  module: { rules: [{ loader: 'babel-loader', options: { plugins: ['a'] } }] },
  optimization: {
    minimizer: [
      new Images({ minimizer: { implementation: Images.imageminMinify, options: { plugins: ['gifsicle'] } } }),
      new Terser(),
    ],
  },
}
`
    expect((await migrated('image-minimizer', 'webpack.config.js', code)).text).toBe(
      `const pixpress = require('unplugin-pixpress/webpack')
module.exports = {
  module: { rules: [{ loader: 'babel-loader', options: { plugins: ['a'] } }] },
  plugins: [pixpress()],
  optimization: {
    minimizer: [
      new Terser(),
    ],
  },
}
`,
    )
    for (const odd of ['...base, ', 'plugins, ']) {
      const text = code.replace('module.exports = {', `module.exports = { ${odd}`)
      expect(await migrated('image-minimizer', 'webpack.config.js', text)).toMatchObject({ text, code: 1 })
    }
  })

  it('names the packages that only the options of the plugin used', async () => {
    const code = `const Images = require('image-minimizer-webpack-plugin');
const mozjpeg = require('imagemin-mozjpeg');
module.exports = {
  optimization: {
    minimizer: [
      '...',
      new Images({
        minimizer: {
          implementation: Images.imageminMinify,
          options: { plugins: [mozjpeg(), ['gifsicle', { interlaced: true }], ['svgo', {}], 'resvg', ['pngquant', {}]] },
        },
      }),
    ],
  },
};
`
    const plugins = ['gifsicle', 'mozjpeg', 'pngquant', 'svgo', 'webp'].map((name) => `imagemin-${name}`)
    await folder.write({
      'package.json': manifest('image-minimizer-webpack-plugin', 'imagemin', ...plugins, 'resvg', 'svgo', 'webpack'),
      'scripts/logos.js': "import { optimize } from 'svgo'\nimport webp from 'imagemin-webp'\n",
    })
    const { text, stdout, code: ended } = await migrated('image-minimizer', 'webpack.config.js', code)
    expect(ended).toBe(0)
    expect(text).toBe(
      "const pixpress = require('unplugin-pixpress/webpack');\nmodule.exports = {\n  plugins: [pixpress()],\n};\n",
    )
    expect([...stdout.matchAll(/'(\S+)' may go where nothing else uses it/g)].map(([, name]) => name)).toEqual([
      'imagemin',
      'imagemin-gifsicle',
      'imagemin-mozjpeg',
      'imagemin-pngquant',
      'imagemin-svgo',
      'resvg',
    ])
  })

  it('names types of the package, which hold nothing up', async () => {
    await folder.write({
      'src/types.ts': "import type { Picture } from 'vite-imagetools'\nexport type P = Picture\n",
      'src/teams.ts':
        "import { Picture } from 'vite-imagetools'\nimport a from './a.png?team'\nexport const all: Picture[] = [a]\n",
      'src/global.d.ts':
        "declare module '*?team' {\n  const _: import('vite-imagetools').Picture\n  export default _\n}\n",
      'src/others.ts': "import type { OutputFormat } from 'vite-imagetools'\n",
    })
    const code = "import { imagetools } from 'vite-imagetools'\nexport default { plugins: [imagetools()] }\n"
    const { text, stdout, code: ended } = await migrated('imagetools', 'vite.config.ts', code)
    expect(text).toContain('pixpress(')
    for (const place of ['types.ts:1', 'teams.ts:1', 'global.d.ts:2'])
      expect(stdout).toContain(`  src/${place}  write Pixpress.Picture,`)
    expect(stdout).toContain("  src/others.ts:1  'vite-imagetools' ")
    expect(ended).toBe(1)
  })

  it('tinify: images are done on this machine, or go on to the service that is named', async () => {
    const code = [
      "const TinyPngWebpackPlugin = require('tinypng-webpack-plugin')",
      "module.exports = { plugins: [new TinyPngWebpackPlugin({ key: ['a', process.env.KEY], ext: ['png', 'jpg'] })] }",
      '',
    ].join('\n')
    const here = await migrated('tinify', 'webpack.config.js', code)
    expect(here.text).toContain("pixpress({ include: '**/*.{png,jpg}' })")
    expect(here.stdout).toContain("'key': ")
    const flags = ['--endpoint', 'https://images.example.com/']
    expect(
      (await migrated('tinify', 'webpack.config.js', code.replace("['a', process.env.KEY]", 'KEY'), flags)).text,
    ).toContain("pixpress({ include: '**/*.{png,jpg}', engine: { endpoint: 'https://images.example.com', key: KEY } })")
    expect((await folder.run(['migrate', 'tinify', '--endpoint', 'x'])).stderr).toContain('an https URL')
  })
})

const dependencies = async (): Promise<object> =>
  (JSON.parse((await folder.read('package.json')).toString()) as { devDependencies: object }).devDependencies

/** A configuration where pixpress was added beside another plugin. */
const beside = (call: string): string =>
  `import pixpress from 'unplugin-pixpress/vite'
import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'
export default {
  plugins: [
    ${call},
    // images
    ViteImageOptimizer({
      // small already
      exclude: /\\.webp$/,
    }),
  ],
}
`

describe('several plugins of one project', () => {
  const both = `import { defineConfig } from 'vite'
import { imagetools } from 'vite-imagetools'
import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'

export default defineConfig({
  plugins: [
    imagetools({ defaultDirectives: new URLSearchParams('format=webp') }),
    ViteImageOptimizer({ svg: { multipass: true, plugins: ['preset-default'] }, logStats: false }),
  ],
})
`
  const joined = `import { defineConfig } from 'vite'
import pixpress from 'unplugin-pixpress/vite'

export default defineConfig({
  plugins: [
    pixpress({
      compat: 'imagetools',
      defaultDirectives: new URLSearchParams('format=webp'),
      svgo: { multipass: true, plugins: ['preset-default'] },
      report: false,
    }),
  ],
})
`
  const packages = manifest('sharp', 'vite', 'vite-imagetools', 'vite-plugin-image-optimizer')
  it('become one call, one after the other', async () => {
    await folder.write({ 'vite.config.ts': both, 'package.json': packages })
    expect(await folder.run(['migrate', 'imagetools', '--write'])).toMatchObject({ code: 0 })
    expect((await folder.read('vite.config.ts')).toString()).toContain('ViteImageOptimizer({')
    expect(await folder.run(['migrate', 'image-optimizer', '--write'])).toMatchObject({ code: 0 })
    expect((await folder.read('vite.config.ts')).toString()).toBe(joined)
    expect(await dependencies()).toEqual({ sharp: '^1.0.0', 'unplugin-pixpress': `^${ownVersion()}`, vite: '*' })
  })

  it('are found without a name, and become one call at once', async () => {
    await folder.write({ 'vite.config.ts': both, 'package.json': packages })
    const { code, stdout } = await folder.run(['migrate', '--write'])
    expect(code).toBe(0)
    expect(stdout).toContain('vite-imagetools, vite-plugin-image-optimizer: unplugin-pixpress')
    expect((await folder.read('vite.config.ts')).toString()).toBe(joined)
    expect(await dependencies()).toEqual({ sharp: '^1.0.0', 'unplugin-pixpress': `^${ownVersion()}`, vite: '*' })
    expect((await folder.run(['migrate'])).code).toBe(0)
  })

  it('are found in a folder that is named alone', async () => {
    await folder.write({ 'site/vite.config.ts': both, 'site/package.json': packages })
    expect(await folder.run(['migrate', 'site', '--write'])).toMatchObject({ code: 0 })
    expect((await folder.read('site/vite.config.ts')).toString()).toBe(joined)
  })

  it.each([
    [
      'a filter that one of them has alone',
      'logStats: false',
      "exclude: '**/x.png'",
      "write 'exclude: '**/x.png'' into both",
    ],
    ['an option of both', "'format=webp')", "'format=webp'), svgo: 1", 'this option is not known'],
    [
      'a call that is no item of a list',
      '    ViteImageOptimizer(',
      '    on && ViteImageOptimizer(',
      'it is no item of a list',
    ],
  ])('leave to a person %s', async (_, before, after, expected) => {
    const code = both.replace(before, after)
    await folder.write({ 'vite.config.ts': code, 'package.json': packages })
    const { code: ended, stdout } = await folder.run(['migrate', '--write'])
    expect(ended).toBe(1)
    expect(stdout).toContain(expected)
    expect((await folder.read('vite.config.ts')).toString()).toMatch(/ViteImageOptimizer\(|imagetools\(/)
  })

  it('become one call where pixpress() stands beside the other with the same filter', async () => {
    const refused = await migrated('image-optimizer', 'vite.config.ts', beside('pixpress()'))
    expect(refused).toMatchObject({
      code: 1,
      text: beside('pixpress()'),
      stdout: naming("  vite.config.ts:7  'exclude' ", String.raw`'exclude: /\.webp$/'`),
    })
    expect(
      await migrated('image-optimizer', 'vite.config.ts', beside('pixpress({ exclude: /\\.webp$/ })')),
    ).toMatchObject({
      code: 0,
      text: `import pixpress from 'unplugin-pixpress/vite'
export default {
  plugins: [
    // images
    pixpress({
      // small already
      exclude: /\\.webp$/,
    }),
  ],
}
`,
    })
  })

  it.each([
    ['svgo: true', ''],
    ['svg: { plugins: [{ name: "removeTitle" }] }', 'svgo: { plugins: [{ name: "removeTitle" }] }'],
    ['svg: { plugins: [{ name: "removeViewBox", active: false, fn }] }', ''],
  ])('carry the settings of SVG: %s', async (written, expected) => {
    const code = `import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\nexport default [ViteImageOptimizer({ ${written} })]\n`
    const { text, code: ended } = await migrated('image-optimizer', 'vite.config.js', code)
    expect(text).toContain(expected === '' ? 'pixpress()' : `pixpress({ ${expected} })`)
    expect(ended).toBe(0)
  })
})

describe('what is not certain', () => {
  const IMPORT = "import { imagetools } from 'vite-imagetools'\n"

  it.each([
    [
      'a function',
      `${IMPORT}export default { plugins: [imagetools({ extendTransforms: (x) => x })] }\n`,
      2,
      "'extendTransforms'",
    ],
    [
      'default directives that read the image',
      `${IMPORT}export default [imagetools({ defaultDirectives: async (url, metadata) => by(await metadata()) })]\n`,
      2,
      "'type' is a MIME type",
    ],
    [
      'outputs',
      `${IMPORT}export default [imagetools({ extendOutputFormats: (builtins) => ({ ...builtins, css }) })]\n`,
      2,
      "write 'outputs: { name: (images, keys) => value }'",
    ],
    [
      'options from elsewhere',
      `${IMPORT}const options = {}\nexport default [imagetools(options)]\n`,
      3,
      'is not called once',
    ],
    ['a spread', `${IMPORT}export default [imagetools({ ...shared })]\n`, 2, 'is not called once'],
    ['two calls', `${IMPORT}export default [imagetools(), imagetools()]\n`, 2, 'is not called once'],
    [
      'an unknown option',
      `${IMPORT}export default [imagetools({ fancy: 1 })]\n`,
      2,
      "'fancy': this option is not known",
    ],
    [
      'a filter that sees queries',
      `${IMPORT}export default [imagetools({ include: /\\.jpg(\\?.*)?$/ })]\n`,
      2,
      "'include'",
    ],
    [
      'another import',
      "import * as all from 'vite-imagetools'\nexport default [all.imagetools()]\n",
      1,
      'is imported in a way',
    ],
    ['a name in a list', "export default { modules: ['vite-imagetools'] }\n", 1, 'is used in a way that is not known'],
    [
      'a name that is taken',
      `${IMPORT}const pixpress = 5\nexport default [imagetools()]\n`,
      1,
      "'pixpress' is a name in this file already",
    ],
  ])('is never changed but named: %s', async (_, code, line, expected) => {
    await folder.write({ 'package.json': manifest('other') })
    const { text, stdout, code: ended } = await migrated('imagetools', 'vite.config.js', code)
    expect(text).toBe(code)
    expect(ended).toBe(1)
    expect(stdout).toContain(`  vite.config.js:${line}  `)
    expect(stdout).toContain(expected)
  })

  it('is a manifest whose package no script imports', async () => {
    await folder.write({ 'package.json': manifest('vite-imagetools') })
    expect(await folder.run(['migrate', 'imagetools'])).toMatchObject({
      code: 1,
      stdout: naming('  package.json:1  ', 'pixpress()'),
    })
  })

  it('is a manifest whose package no script imports, where a comment names pixpress', async () => {
    await folder.write({
      'package.json': manifest('vite-imagetools'),
      'vite.config.js': "// import pixpress from 'unplugin-pixpress/vite'\nexport default {}\n",
    })
    expect(await folder.run(['migrate'])).toMatchObject({ code: 1 })
  })

  it('is not a manifest whose package no script imports, where pixpress is there already', async () => {
    await folder.write({
      'package.json': manifest('vite-imagetools'),
      'vite.config.js': "import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress()] }\n",
    })
    expect(await folder.run(['migrate', '--write'])).toMatchObject({ code: 0 })
    expect((await folder.read('package.json')).toString()).not.toContain('vite-imagetools')
  })

  it('keeps dependencies and queries as they are while the configuration is not changed', async () => {
    const files = {
      'package.json': manifest('vite-imagetools'),
      'src/a.js': "import a from './a.jpg?w=30&quality=75'\n",
    }
    await folder.write(files)
    const { stdout } = await migrated(
      'imagetools',
      'vite.config.js',
      `${IMPORT}export default [imagetools({ fancy: 1 })]\n`,
    )
    for (const [name, text] of Object.entries(files)) expect((await folder.read(name)).toString()).toBe(text)
    expect(stdout).toMatch(/\n\npixpress {2}No file .*\n$/)
  })

  it('is a query that is put together at run time', async () => {
    const source = 'const a = `./a.jpg?as=webp&width=${width}`\n'
    await folder.write({ 'src/a.js': source, 'package.json': manifest('image-minimizer-webpack-plugin') })
    await folder.run(['migrate', 'image-minimizer', '--write'])
    expect((await folder.read('src/a.js')).toString()).toBe(source)
  })
})

describe('the command line of migrate', () => {
  it.each([
    [['nowhere'], "'nowhere' is no folder, and none of imagetools, image-optimizer"],
    [['a', 'b', 'c'], 'Expected one of imagetools, image-optimizer, image-minimizer, imagemin, tinify'],
    [['imagetool'], "Did you mean 'imagetools'?"],
    [['imagetools', 'nowhere'], "'nowhere' is no folder."],
    [['imagetools', '--endpoint', 'https://x.example'], "--endpoint is for 'pixpress migrate tinify'."],
  ])('%j is wrong usage', async (args, message) => {
    expect(await folder.run(['migrate', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('gives data', async () => {
    const code = "import { imagetools } from 'vite-imagetools'\nexport default { plugins: [imagetools()] }\n"
    await folder.write({ 'package.json': manifest('vite-imagetools'), 'vite.config.js': code })
    const { stdout } = await folder.run(['migrate', 'imagetools', '--json'])
    const { changes, ...others } = JSON.parse(stdout) as { changes: { file: string; lines: unknown[] }[] }
    expect(others).toEqual({ leftOut: [], byHand: [] })
    expect(changes.map(({ file }) => file)).toEqual(['package.json', 'vite.config.js'])
    expect(changes[0]!.lines).toEqual([
      { line: 4, sign: '-', text: '    "vite-imagetools": "^1.0.0"' },
      { line: 4, sign: '+', text: `    "unplugin-pixpress": "^${ownVersion()}"` },
    ])
  })

  it('has a page of the documentation for every tool', async () => {
    const text = await page('migrate')
    for (const name of Object.keys(TOOLS)) expect(text).toContain(`\`${name}\``)
  })
})

describe('a project with nothing to migrate', () => {
  it.each([
    ['that has a bundler', { 'package.json': '{ "devDependencies": { "vite": "^6.0.0" } }' }, "'vite.config.mjs'"],
    ['that has none', { 'a.txt': '' }, '--bundler'],
    ['whose bundler is too old', { 'package.json': '{ "devDependencies": { "vite": "^4.5.0" } }' }, '^4.5.0'],
  ])('%s ends with 0, and says what init would do', async (_, files, said) => {
    await folder.write(files)
    for (const args of [['migrate'], ['migrate', 'imagetools'], ['migrate', '--write']]) {
      const { code, stdout } = await folder.run(args)
      expect(code).toBe(0)
      expect(stdout).toEqual(naming("'npx pixpress init'", said))
    }
    expect(await folder.files()).not.toContain('vite.config.mjs')
    expect(JSON.parse((await folder.run(['migrate', '--json'])).stdout)).toEqual({
      changes: [],
      leftOut: [],
      byHand: [],
    })
  })
})

const installed = (name: string, version: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
})
const wanting = (name: string, range: string): Record<string, string> => ({
  'package.json': JSON.stringify({ devDependencies: { [name]: range } }),
})

describe('a project whose bundler is too old', () => {
  const vite =
    "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\nexport default { plugins: [ViteImageOptimizer()] }\n"
  const webpack =
    "const Images = require('image-minimizer-webpack-plugin')\nmodule.exports = { optimization: { minimizer: [new Images()] } }\n"
  it.each([
    ['Vite, installed', 'vite.config.js', vite, { ...wanting('vite', '*'), ...installed('vite', '4.5.3') }, 'vite'],
    ['Vite, by the range', 'vite.config.js', vite, wanting('vite', '~5.3.0 || ^4.0.0'), 'vite'],
    ['webpack', 'webpack.config.js', webpack, installed('webpack', '5.89.0'), 'webpack'],
    ['Rspack', 'rspack.config.js', webpack, wanting('@rspack/core', '>=1.0.0 <1.5.0'), '@rspack/core'],
    ['Vite of a workspace', 'web/vite.config.js', vite, installed('vite', '5.3.9'), 'vite'],
  ])('keeps its tool, and is told what to update: %s', async (_, file, code, files, name) => {
    await folder.write({ ...files, [file]: code })
    for (const args of [['migrate'], ['migrate', '--write']]) {
      const ended = await folder.run([...args, '--json'])
      expect(ended.code).toBe(1)
      const { changes, byHand } = JSON.parse(ended.stdout) as {
        changes: object[]
        byHand: { file: string; text: string }[]
      }
      expect(changes).toEqual([])
      expect(byHand[0]).toMatchObject({ file, text: naming(name, `npm install --save-dev ${name}@`) })
    }
    expect((await folder.read(file)).toString()).toBe(code)
  })

  it.each([
    ['is new enough', { ...wanting('vite', '^4.0.0'), ...installed('vite', '5.4.0') }],
    ['may be new enough', wanting('vite', '^4.0.0 || ^5.0.0')],
    ['has a range without an end', wanting('vite', '>=4')],
    ['has a range that says nothing', wanting('vite', 'catalog:')],
    ['is not known', {}],
  ])('is migrated where it %s', async (_, files) => {
    await folder.write({ ...files, 'vite.config.js': vite })
    expect((await folder.run(['migrate', '--write'])).code).toBe(0)
    expect((await folder.read('vite.config.js')).toString()).toContain('pixpress()')
  })
})
