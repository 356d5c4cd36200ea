import { describe, expect, it } from 'vitest'
import { RUNNERS, shardOfEnvironment } from '../../src/compress/shard-environment.ts'
import { parseShard } from '../../src/compress/shard.ts'

const SLURM = { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_MIN: '3', SLURM_ARRAY_TASK_COUNT: '6' }

/** A part of each runner, with the variables that it sets. */
const SEEN: Readonly<Record<string, readonly [env: Readonly<Record<string, string>>, text: string, part: string]>> = {
  JOB_COMPLETION_INDEX: [{ JOB_COMPLETION_INDEX: '0' }, 'auto/16', '1/16'],
  AWS_BATCH_JOB_ARRAY_INDEX: [{ AWS_BATCH_JOB_ARRAY_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '4' }, 'auto', '4/4'],
  SLURM_ARRAY_TASK_ID: [{ ...SLURM, SLURM_ARRAY_TASK_STEP: '2' }, 'auto', '3/6'],
  CI_NODE_INDEX: [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '5' }, 'auto', '1/5'],
  CIRCLE_NODE_INDEX: [{ CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '5' }, 'auto', '2/5'],
}

describe('--shard auto', () => {
  it('has an example of each runner', () => {
    expect(Object.keys(SEEN)).toEqual(RUNNERS.map(({ index }) => index))
  })

  it.each(Object.keys(SEEN))('takes the part that %s says', (name) => {
    const [env, text, part] = SEEN[name]!
    const { index, count } = parseShard(text, { HOME: '/root', ...env })
    expect(`${index}/${count}`).toBe(part)
  })

  it('takes an array of Slurm without a step as one of 1', () => {
    expect(shardOfEnvironment(SLURM, undefined)).toEqual({ index: 5, count: 6 })
  })

  it.each([
    [{}, 'auto', /found none of JOB_COMPLETION_INDEX, .*: give the part, as '3\/16'\.$/],
    [{ CI_NODE_INDEX: '' }, 'auto', /found none of/],
    [{ JOB_COMPLETION_INDEX: '1' }, 'auto', /do not say how many parts there are: give .* as '--shard auto\/16'\.$/],
    [{ JOB_COMPLETION_INDEX: '4' }, 'auto/4', /^JOB_COMPLETION_INDEX is 4, which is none of 4 parts\.$/],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '2' }, 'auto', /^CI_NODE_INDEX is 0, which is none of 2 parts\.$/],
    [{ CI_NODE_INDEX: '1' }, 'auto', /^Expected a number in CI_NODE_TOTAL for '--shard auto' but received ''\.$/],
    [{ CI_NODE_INDEX: 'one', CI_NODE_TOTAL: '2' }, 'auto', /^Expected a number in CI_NODE_INDEX/],
    [{ CI_NODE_INDEX: '1', CIRCLE_NODE_INDEX: '1' }, 'auto', /found CI_NODE_INDEX and CIRCLE_NODE_INDEX/],
    [{ ...SLURM, SLURM_ARRAY_TASK_STEP: '3' }, 'auto', /^SLURM_ARRAY_TASK_ID is 7, which is none of 6 parts\.$/],
  ])('refuses %j with %s', (env, text, message) => {
    expect(() => parseShard(text, env)).toThrow(message)
  })
})
