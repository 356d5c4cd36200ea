import { buffer } from 'node:stream/consumers'
import type { Operations, Optimizer } from '@pixpress/core'
import type { Surroundings } from '../output.ts'

/**
 * Standard input → standard output. Nothing is printed where the image is broken.
 * @throws PixpressError
 */
export async function compressPipe(
  optimizer: Optimizer,
  operations: Operations,
  { stdin, stdout }: Pick<Surroundings, 'stdin' | 'stdout'>,
): Promise<readonly string[]> {
  const { data, notes } = await optimizer.optimize(await buffer(stdin), operations, { file: 'standard input' })
  stdout.write(data)
  return notes
}
