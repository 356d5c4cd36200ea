import type { Project } from '@pixpress/testkit'

export interface FarmOptions {
  /** Source text of the plugin's options. */
  readonly options?: string
  /** Source text of Farm's `compilation` options. */
  readonly compilation?: string
}

/** Source text of a configuration for the project in the working folder. */
export const config = ({ options = '{}', compilation = '{}' }: FarmOptions = {}): string => `{
  root: process.cwd(),
  configFile: false,
  compilation: {
    input: { index: './index.html' },
    presetEnv: false,
    progress: false,
    sourcemap: false,
    minify: false,
    persistentCache: false,
    ...${compilation},
  },
  plugins: [pixpress({ report: { json: 'report.json' }, ...${options} })],
}`

export interface BuildOutcome {
  readonly code: number | null
  readonly printed: string
  /** Contents by path relative to `dist`. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** Builds a project in a process of its own: Farm ends the process when a build fails. */
export async function buildProject(project: Project, given: FarmOptions = {}): Promise<BuildOutcome> {
  const script = `
    import { build } from '@farmfe/core'
    import pixpress from 'unplugin-pixpress/farm'
    await build(${config(given)})
  `
  const { code, stdout, stderr } = await project.run(script, { timeout: 180_000 })
  const names = await project.list('dist')
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await project.read(`dist/${name}`)] as const)),
  )
  return { code, printed: stdout + stderr, files }
}

export const PACKAGES = ['@farmfe/core', 'unplugin-pixpress'] as const
