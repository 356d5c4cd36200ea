import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const ACTION = path.resolve(import.meta.dirname, '../../action')

interface Step {
  readonly id: string
  /** The input that has to be `true`. */
  readonly onlyWith: string | undefined
  readonly run: string
  /** Variables, and the inputs that they have. */
  readonly env: Readonly<Record<string, string>>
}

export interface Ran {
  /** The first step that failed ends the job. */
  readonly failed: string | undefined
  readonly steps: readonly string[]
  readonly log: string
  readonly summary: string
  /** The outputs of all steps. */
  readonly outputs: Readonly<Record<string, string>>
}

/** The steps that `action.yml` runs by itself, and what its inputs are by default, read from the file. */
export async function readAction(): Promise<{ steps: Step[]; defaults: Record<string, string> }> {
  const file = await readFile(path.join(ACTION, 'action.yml'), 'utf8')
  const inputs = file.slice(file.indexOf('\ninputs:'), file.indexOf('\noutputs:'))
  const defaults = Object.fromEntries(
    [...inputs.matchAll(/^ {2}([\w-]+):\n((?: {4}.+\n)+)/gm)].map(([, name, body]) => {
      const value = /^ {4}default: '?(.*?)'?$/m.exec(body!)?.[1] ?? ''
      return [name!, value] as const
    }),
  )
  const steps = file
    .slice(file.indexOf('\n  steps:'))
    .split(/\n {4}- /)
    .filter((step) => step.includes('run: '))
    .map((step) => ({
      id: /^id: (\w+)/.exec(step)![1]!,
      onlyWith: /^ *if: inputs\.([\w-]+) == 'true'$/m.exec(step)?.[1],
      run: /^ *run: (.+)$/m.exec(step)![1]!,
      env: Object.fromEntries(
        [...step.matchAll(/^ {8}(INPUT_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)].map(([, name, input]) => [
          name!,
          input!,
        ]),
      ),
    }))
  return { steps, defaults }
}

/** Runs the action's steps one after the other, as a runner of GitHub does with those of a composite action. */
export async function runAction(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  context: { readonly workspace: string; readonly event: object; readonly eventName?: string; readonly api: string },
): Promise<Ran> {
  const { steps, defaults } = await readAction()
  const temporary = path.join(folder, 'runner')
  await mkdir(temporary, { recursive: true })
  const files = { event: 'event.json', output: 'output', summary: 'summary' }
  const at = (name: keyof typeof files): string => path.join(temporary, files[name])
  await writeFile(at('event'), JSON.stringify(context.event))
  await Promise.all([writeFile(at('output'), ''), writeFile(at('summary'), '')])
  const values: Record<string, string> = { ...defaults, ...inputs }
  const ran: string[] = []
  let log = ''
  let failed: string | undefined
  for (const step of steps) {
    if (failed !== undefined) break
    if (step.onlyWith !== undefined && values[step.onlyWith] !== 'true') continue
    ran.push(step.id)
    const variables = Object.entries(step.env).map(([name, input]) => [name, values[input] ?? ''])
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: context.workspace,
      env: {
        ...process.env,
        ...Object.fromEntries(variables),
        CI: 'true',
        GITHUB_ACTION_PATH: ACTION,
        GITHUB_WORKSPACE: context.workspace,
        GITHUB_EVENT_PATH: at('event'),
        GITHUB_EVENT_NAME: context.eventName ?? 'pull_request',
        GITHUB_OUTPUT: at('output'),
        GITHUB_STEP_SUMMARY: at('summary'),
        GITHUB_REPOSITORY: 'owner/site',
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_API_URL: context.api,
        RUNNER_TEMP: temporary,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    log += out + err
    if (code !== 0) failed = step.id
  }
  const outputs = (await readFile(at('output'), 'utf8')).split('\n').filter((line) => line !== '')
  return {
    failed,
    steps: ran,
    log,
    summary: await readFile(at('summary'), 'utf8'),
    outputs: Object.fromEntries(outputs.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)])),
  }
}
