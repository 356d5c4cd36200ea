import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '../markdown.ts'
import type { Snippet } from './read.ts'
import type { Scratch } from './scratch.ts'

/** One way to run a snippet: the first whose `takes` holds. */
interface Recipe {
  readonly name: string
  takes(snippet: Snippet): boolean
  run(code: string, folder: string, scratch: Scratch, snippet: Snippet): Promise<void>
}

/** The line that a program prints which goes on until it is stopped. */
const SERVING = /Serving on https?:\/\/\S+:\d+|^https?:\/\/\S+:\d+$/m

const isScript = ({ language }: Snippet): boolean => language === 'js' || language === 'ts'
const isShell = ({ language }: Snippet): boolean => language === 'sh' || language === 'console'

const RECIPES: readonly Recipe[] = [
  {
    name: 'shows what is printed',
    takes: ({ language }) => language === 'text',
    run: async () => undefined,
  },
  {
    // folders.test.ts holds each to be what its script draws.
    name: 'is a picture',
    takes: ({ language }) => language === 'mermaid',
    run: async () => undefined,
  },
  {
    name: 'is JSON',
    takes: ({ language }) => language === 'json',
    run: async (code) => void JSON.parse(code),
  },
  {
    // The tarballs were installed in this way; other plugins are only taken away.
    name: 'installs packages that were installed',
    takes: (snippet) => isShell(snippet) && commandsOf(snippet).every((line) => /^npm (?:un)?install\b/.test(line)),
    async run(_, __, { installed }, snippet) {
      const names = commandsOf(snippet)
        .filter((line) => line.startsWith('npm install '))
        .flatMap((line) => line.split(' ').slice(2))
        .filter((word) => !word.startsWith('-'))
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) expect([...installed]).toContain(name)
    },
  },
  {
    name: 'runs in a shell',
    takes: isShell,
    async run(_, folder, scratch, snippet) {
      const code = adapted(commandsOf(snippet).join('\n'), scratch)
      if (code.includes('git ')) await ends(scratch, folder, 'git init -q . && git add hero.jpg')
      // Servers go on until they are stopped, so each command before is run to its end.
      const servers = code.split('\n').filter((line) => line.includes('pixpress serve'))
      const rest = code.split('\n').filter((line) => !servers.includes(line))
      if (rest.length > 0) await ends(scratch, folder, rest.join('\n'))
      const variables = rest.filter((line) => line.startsWith('export '))
      for (const server of servers) await serves(scratch, folder, [...variables, server].join('\n'))
    },
  },
  {
    name: 'compiles',
    takes: ({ code }) => code.includes('/// <reference types') || /\bstore: \{/.test(code),
    async run(code, folder, scratch) {
      await writeFile(path.join(folder, 'snippet.ts'), `${code}\nexport {}\n`)
      const flags = '--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --types node'
      const compiler = path.join(ROOT, 'node_modules/.bin/tsc')
      await ends(scratch, folder, `${compiler} ${flags} --target es2023 snippet.ts`)
    },
  },
  {
    name: 'configures the command',
    takes: ({ code }) => code.includes("from 'pixpress'"),
    async run(code, folder, scratch) {
      await writeFile(path.join(folder, nameIn(code)!), code)
      await ends(scratch, folder, 'npx pixpress compress src --out command')
      expect(await listed(folder, scratch, 'command')).toMatch(/\.(?:avif|webp)$/m)
    },
  },
  {
    name: 'configures webpack',
    takes: ({ code }) => code.includes('unplugin-pixpress/webpack'),
    async run(code, folder, scratch) {
      const settings = "mode: 'production', entry: './src/main.js'"
      await writeFile(path.join(folder, 'webpack.config.js'), asConfiguration(code, scratch))
      const runner = [
        "import webpack from 'webpack'",
        "import config from './webpack.config.js'",
        `webpack({ ...config, ${settings}, output: { path: process.cwd() + '/dist' } }, (error, stats) => {`,
        '  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())',
        '})',
      ]
      await writeFile(path.join(folder, 'build.js'), runner.join('\n'))
      await ends(scratch, folder, 'rm -rf dist && node build.js')
      // The example image is small enough to be inlined.
      const delivered = await scratch.shell(
        folder,
        "grep -rlE 'data:image/(jpeg|webp|avif)' dist || find dist -name '*.jpg'",
      )
      expect(delivered.output).toMatch(/^dist/)
    },
  },
  {
    name: 'configures Vite',
    takes: ({ code }) => /\bpixpress(?:\.vite)?\(/.test(code) || code.startsWith('engine:'),
    async run(code, folder, scratch) {
      const file = nameIn(code) ?? 'vite.config.js'
      await writeFile(path.join(folder, file), asConfiguration(code, scratch))
      await buildsWithVite(folder, scratch, file)
    },
  },
  {
    name: 'imports images',
    takes: (snippet) => isScript(snippet) && /from '\.\/[^']+\?/.test(snippet.code),
    async run(code, folder, scratch) {
      const presets = "{ hero: { w: [64, 96], format: ['avif', 'webp', 'jpg'], as: 'picture' } }"
      const config = `import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress({ presets: ${presets} })] }\n`
      await writeFile(path.join(folder, 'imports.config.js'), config)
      const names = [...code.matchAll(/^import (?:\{ ([^}]+) \}|(\w+)) from/gm)].map(([, some, one]) => some ?? one)
      await writeFile(path.join(folder, 'src/main.js'), `${code}\nconsole.log(${names.join(', ')})\n`)
      await buildsWithVite(folder, scratch, 'imports.config.js')
    },
  },
  {
    name: 'runs in Node',
    takes: isScript,
    async run(code, folder, scratch) {
      // The report comes from the build before it, with the option of the page.
      if (code.includes('dist/report.json')) {
        const config = `import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress({ report: { json: 'dist/report.json' } })] }\n`
        await writeFile(path.join(folder, 'report.config.js'), config)
        await buildsWithVite(folder, scratch, 'report.config.js')
      }
      await writeFile(path.join(folder, 'program.mjs'), withFreePort(adapted(code, scratch)))
      const stays = code.includes('startServer(') && !code.includes('.close()')
      await (stays ? serves : ends)(scratch, folder, 'node program.mjs')
    },
  },
]

/** @returns how the snippet is run; `undefined` where nothing here can */
export const recipeOf = (snippet: Snippet): Recipe | undefined => RECIPES.find(({ takes }) => takes(snippet))

/** A shell's lines; of a session those that were typed. */
function commandsOf({ language, code }: Snippet): string[] {
  const lines = code.split('\n').filter((line) => line !== '' && !line.startsWith('#!'))
  return language === 'console' ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)) : lines
}

/** Replaces everything that is somewhere else in the reader's world. */
function adapted(code: string, { endpoint, proxy }: Scratch): string {
  return code
    .replaceAll(/https:\/\/(?:images|api)\.example\.com(?::\d+)?(?=['/]|\s|$)/g, endpoint)
    .replaceAll('http://127.0.0.1:3128', proxy)
    .replaceAll('<the hash>', '0'.repeat(64))
    .replaceAll('--port 8443', '--port 0')
    .replaceAll('/var/lib/pixpress', './data')
}

const withFreePort = (code: string): string => code.replace('resolveSettings({ key', "resolveSettings({ port: '0', key")

/** The file that the first line names. */
const nameIn = (code: string): string | undefined => /^\/\/ (?:after: )?([\w.]+\.[jt]s)\n/.exec(code)?.[1]

/** A whole configuration from a part of one. */
function asConfiguration(snippet: string, scratch: Scratch): string {
  const code = adapted(snippet, scratch)
  if (code.includes('export default')) return code
  const imports = code.match(/^import .*$/gm)?.join('\n') ?? "import pixpress from 'unplugin-pixpress/vite'"
  const rest = code.replaceAll(/^import .*$/gm, '').trim()
  if (rest.startsWith('engine:')) {
    const endpoint = `const endpoint = ${JSON.stringify(scratch.endpoint)}`
    return `${imports}\n${endpoint}\nexport default { plugins: [pixpress({ ${rest} })] }\n`
  }
  const plugins = /^plugins:/m.test(rest) ? rest : `plugins: [\n${rest}\n]`
  return `${imports}\nexport default {\n${plugins}\n}\n`
}

async function buildsWithVite(folder: string, scratch: Scratch, config: string): Promise<void> {
  const vite = path.join('node_modules', 'vite', 'bin', 'vite.js')
  await ends(scratch, folder, `node ../${vite} build --config ${config} --emptyOutDir --assetsInlineLimit 0`)
  expect(await listed(folder, scratch, 'dist')).toMatch(/\.(?:jpg|webp|avif|svg)$/m)
}

async function listed(folder: string, scratch: Scratch, inside: string): Promise<string> {
  return (await scratch.shell(folder, `find ${inside} -type f`)).output
}

async function ends(scratch: Scratch, folder: string, script: string): Promise<void> {
  const { code, output } = await scratch.shell(folder, script)
  expect(code, `${script}\n${output}`).toBe(0)
}

async function serves(scratch: Scratch, folder: string, script: string): Promise<void> {
  const { code, output } = await scratch.shell(folder, script, SERVING)
  expect(code, `${script}\n${output}`).toBe(null)
}
