import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'

/** A project that can import Rsbuild and the plugin. */
export async function createRsbuildProject(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Project> {
  return createProject(`rsbuild-${name}`, { packages: ['unplugin-pixpress', '@rsbuild/core'], files })
}

/**
 * Runs a function's body in the project, with `create(config, options)` at hand, which gives an instance of Rsbuild,
 * and `warnings`, and gives what the body returns.
 */
export async function drive<Result>(project: Project, body: string): Promise<Result> {
  const script = `import fs from 'node:fs'
import { createLogger, createRsbuild, mergeRsbuildConfig } from '@rsbuild/core'
import pixpress from 'unplugin-pixpress/rsbuild'
const warnings = []
const customLogger = createLogger({ level: 'warn' })
customLogger.override({ warn: (message) => warnings.push(String(message)) })
const create = (config = {}, options = {}) => createRsbuild({
  cwd: process.cwd(),
  config: mergeRsbuildConfig({
    source: { entry: { index: './src/index.js' } },
    server: { host: '127.0.0.1', printUrls: false },
    performance: { printFileSize: false },
    customLogger,
    plugins: [pixpress({ report: { json: 'report.json' }, ...options })],
  }, config),
})
const report = () => JSON.parse(fs.readFileSync('report.json', 'utf8'))
const main = async () => { ${body} }
const returned = await main()
process.stdout.write('\\n=>' + JSON.stringify(returned ?? null) + '\\n', () => process.exit(0))`
  const { code, stdout, stderr } = await project.run(script, { timeout: 180_000 })
  const line = stdout.split('\n').find((text) => text.startsWith('=>'))
  if (code !== 0 || line === undefined) throw new Error(`Rsbuild ended with ${code}\n${stdout}\n${stderr}`)
  return JSON.parse(line.slice(2)) as Result
}
