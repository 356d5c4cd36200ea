import { UsageError } from '@pixpress/core/internal'

/** One of several parts of the work, each for a machine of its own. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number
  readonly count: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where a runner says which part of an array this process is. */
interface Runner {
  readonly name: string
  /** Variable of this part's number. */
  readonly index: string
  /** The number of the first part, or the variable that has it. */
  readonly first: number | string
  /** Variable of the distance between the numbers of two parts. Default: 1. */
  readonly step?: string
  /** Variable of the number of parts; `undefined`: the runner does not say. */
  readonly count: string | undefined
}

/** A row for each runner of which `--shard auto` knows. */
export const RUNNERS: readonly Runner[] = [
  { name: "Kubernetes' indexed jobs", index: 'JOB_COMPLETION_INDEX', first: 0, count: undefined },
  { name: 'AWS Batch', index: 'AWS_BATCH_JOB_ARRAY_INDEX', first: 0, count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  {
    name: 'Slurm',
    index: 'SLURM_ARRAY_TASK_ID',
    first: 'SLURM_ARRAY_TASK_MIN',
    step: 'SLURM_ARRAY_TASK_STEP',
    count: 'SLURM_ARRAY_TASK_COUNT',
  },
  { name: 'GitLab', index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', first: 0, count: 'CIRCLE_NODE_TOTAL' },
]

/**
 * Reads the part of this process from what its runner says.
 * @param given the number of parts, which Kubernetes does not say; `undefined`: the runner's
 * @throws UsageError where no runner or several say something, or what they say is no part of the whole
 */
export function shardOfEnvironment(env: Environment, given: number | undefined): Shard {
  const found = RUNNERS.filter(({ index }) => isSet(env, index))
  const [runner, another] = found
  if (runner === undefined) {
    const variables = RUNNERS.map(({ index }) => index).join(', ')
    throw new UsageError(`'--shard auto' found none of ${variables}: give the part, as '3/16'.`)
  }
  if (another !== undefined) {
    throw new UsageError(`'--shard auto' found ${runner.index} and ${another.index}: give the part, as '3/16'.`)
  }
  const count = given ?? (runner.count === undefined ? undefined : numberOf(env, runner.count))
  if (count === undefined) {
    throw new UsageError(`${runner.name} do not say how many parts there are: give their number, as '--shard auto/16'.`)
  }
  const first = typeof runner.first === 'number' ? runner.first : numberOf(env, runner.first)
  const step = runner.step === undefined || !isSet(env, runner.step) ? 1 : numberOf(env, runner.step)
  const index = (numberOf(env, runner.index) - first) / step + 1
  if (Number.isSafeInteger(index) && index >= 1 && index <= count) return { index, count }
  throw new UsageError(`${runner.index} is ${env[runner.index]}, which is none of ${count} parts.`)
}

const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== ''

function numberOf(env: Environment, name: string): number {
  const text = env[name]?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`Expected a number in ${name} for '--shard auto' but received '${text}'.`)
}
