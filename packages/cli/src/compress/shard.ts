import { createHash } from 'node:crypto'
import { UsageError } from '@pixpress/core/internal'
import { shownPath } from './batch.ts'
import type { InputFile } from './inputs.ts'
import { shardOfEnvironment } from './shard-environment.ts'
import type { Shard } from './shard-environment.ts'

export type { Shard } from './shard-environment.ts'

/**
 * `3/16`: the third part of sixteen; `auto`, `auto/16`: the part that the runner of this process says.
 * @throws UsageError for anything else
 */
export function parseShard(text: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const auto = /^auto(?:\/([1-9]\d{0,8}))?$/.exec(text)
  if (auto !== null) return shardOfEnvironment(env, auto[1] === undefined ? undefined : Number(auto[1]))
  const [, first, second] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? []
  const [index, count] = [Number(first), Number(second)]
  if (index <= count) return { index, count }
  throw new UsageError(`Expected K/N with K from 1 to N, as '3/16', or auto for '--shard' but received '${text}'.`)
}

/**
 * Returns the inputs of one part. Only paths decide: a file stays in its part whichever other files there are, and no
 * two parts have it.
 * @param cwd absolute folder that the paths are relative to; its place on the machine does not matter
 */
export function ofShard(inputs: readonly InputFile[], shard: Shard, cwd: string): readonly InputFile[] {
  if (shard.count === 1) return inputs
  return inputs.filter(({ file }) => isOfShard(file, shard, cwd))
}

/** Returns whether a file is in a part. @param file absolute */
export function isOfShard(file: string, { index, count }: Shard, cwd: string): boolean {
  return count === 1 || partOf(shownPath(cwd, file), count) === index
}

/** 48 bits of a digest, as a number from 1 to `count`. */
function partOf(name: string, count: number): number {
  return (createHash('sha256').update(name).digest().readUIntBE(0, 6) % count) + 1
}

/** Returns a line about a run of a part. */
export function shardLine({ index, count }: Shard, own: number, all: number): string {
  return `Shard ${index}/${count}: ${own} of ${all} image${all === 1 ? '' : 's'}.`
}
