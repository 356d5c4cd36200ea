import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, naming } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from './command.ts'

interface Job {
  readonly apiVersion: string
  readonly kind: string
  readonly spec: {
    readonly completionMode: string
    readonly completions: number
    readonly parallelism: number
    readonly template: {
      readonly spec: {
        readonly restartPolicy: string
        readonly containers: readonly { readonly args: readonly string[]; readonly envFrom: readonly object[] }[]
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}

it('the Indexed Job of the examples has as many parts as completions, and flags that the command takes', async () => {
  const job = parse(await readFile(path.join(WORKSPACE, 'examples/batch/kubernetes-job.yaml'), 'utf8')) as Job
  expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', spec: { completionMode: 'Indexed' } })
  const { completions, parallelism, template } = job.spec
  expect(template.spec.restartPolicy).toBe('Never')
  const [container] = template.spec.containers
  const { args } = container!
  expect(args[args.indexOf('--shard') + 1]).toBe(`auto/${completions}`)
  expect(parallelism).toBeLessThanOrEqual(completions)
  // A pod without the secret is told what is missing, so that all before it was right.
  const env = { JOB_COMPLETION_INDEX: '15', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }
  expect(await runCommand(args, WORKSPACE, env)).toMatchObject({
    code: 2,
    stderr: naming('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
  })
})
