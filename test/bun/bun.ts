import type { Project } from '@pixpress/testkit'
import { requireTool } from '@pixpress/testkit'

/** Absent where Bun is not installed; with `CI` set, it has to be. */
export const BUN: string | undefined = requireTool('bun')

export interface BuildOutcome {
  readonly success: boolean
  /** The messages of the failure and its parts. */
  readonly errors: readonly string[]
  readonly printed: string
  /** Contents by path relative to `dist`. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** Builds a project in a process of Bun: `build` is the source text of its options without plugins. */
export async function buildProject(project: Project, build: string, options = '{}'): Promise<BuildOutcome> {
  await project.remove('dist')
  await project.write(
    'build.mjs',
    `import pixpress from 'unplugin-pixpress/bun'
     const result = await Bun.build({
       outdir: 'dist', throw: false, ...${build}, plugins: [pixpress({ report: false, ...${options} })],
     })
     console.log('\\n' + JSON.stringify({ success: result.success, errors: result.logs.map((log) => log.message) }))`,
  )
  const { stdout, stderr } = await project.exec(BUN!, { args: ['build.mjs'], timeout: 180_000 })
  const line = stdout.trimEnd().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`The build did not end:\n${stdout}\n${stderr}`)
  const names = await project.list('dist')
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await project.read(`dist/${name}`)] as const)),
  )
  return { ...(JSON.parse(line) as Pick<BuildOutcome, 'success' | 'errors'>), printed: stdout + stderr, files }
}
