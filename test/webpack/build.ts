import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'

export type Bundler = 'webpack' | 'rspack'

export interface BuildResult {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly assets: readonly { readonly name: string; readonly sourceFilename?: string }[]
  /** The value that the entry leaves in `globalThis.result`. */
  readonly result?: unknown
}

export interface BuildSettings {
  /** JavaScript of the plugin's options. */
  readonly options?: string
  /**
   * JavaScript of the configuration; `bundler` is webpack or Rspack. See `driver.mjs` for `rules`, `plugins`, `output`.
   */
  readonly config?: string
  /** Evaluates `main.js` after the build. */
  readonly evaluate?: boolean
}

const PACKAGES = {
  webpack: ['webpack', 'webpack-dev-server', 'mini-css-extract-plugin'],
  rspack: ['@rspack/core', '@rspack/dev-server'],
} as const

const OWN_PACKAGES = ['unplugin-pixpress', 'css-loader', 'html-loader', 'html-webpack-plugin']

export async function createBundlerProject(
  bundler: Bundler,
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  packages: readonly string[] = [],
): Promise<Project> {
  return createProject(`${bundler}-${name}`, {
    packages: [...OWN_PACKAGES, ...PACKAGES[bundler], ...packages],
    files: { 'driver.mjs': await readFile(path.join(import.meta.dirname, 'driver.mjs')), ...files },
  })
}

/** Builds in a process of its own. */
export function build(project: Project, name: Bundler, settings: BuildSettings = {}): Promise<BuildResult> {
  const { options = '{}', config = '{}', evaluate = false } = settings
  return drive(
    project,
    name,
    `const result = await run(bundler(configuration(tools, ${options}, ${config})))
    ${evaluate ? `if (result.errors.length === 0) result.result = await evaluate('dist/main.js')` : ''}
    return result`,
  )
}

/** Runs a function's body in the project, with everything of `driver.mjs` at hand, and gives what it returns. */
export async function drive<Result>(project: Project, name: Bundler, body: string): Promise<Result> {
  const script = `import fs from 'node:fs'
import { configuration, evaluate, load, run, summary, until } from './driver.mjs'
const tools = await load('${name}')
const { bundler, pixpress } = tools
const main = async () => { ${body} }
const returned = await main()
process.stdout.write('\\n=>' + JSON.stringify(returned ?? null) + '\\n', () => process.exit(0))`
  const { code, stdout, stderr } = await project.run(script, { timeout: 180_000 })
  const line = stdout.split('\n').find((text) => text.startsWith('=>'))
  if (code !== 0 || line === undefined) throw new Error(`${name} ended with ${code}\n${stdout}\n${stderr}`)
  return JSON.parse(line.slice(2)) as Result
}

/** Names of the images in the output folder. */
export async function emittedImages(project: Project, folder = 'dist'): Promise<string[]> {
  return (await project.list(folder)).filter((file) => /\.(?:png|jpe?g|webp|avif|gif|svg)$/.test(file))
}
