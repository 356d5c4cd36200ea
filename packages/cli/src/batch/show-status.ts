import { createStatusReader, listBatches, placeName, readBatchDescription } from '@pixpress/batch'
import type { Destination } from '@pixpress/batch'
import { UsageError } from '@pixpress/core/internal'
import { EXIT } from '../base/exit.ts'
import { amountOf, endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'
import { printFailures, readFailures } from './failures.ts'
import { outcomeText, progressLine } from './lines.ts'

/** A question for the status of batches. */
export interface StatusQuestion {
  readonly destination: Destination
  /** Only batches of this source. */
  readonly from: string | undefined
  readonly json: boolean
  readonly around: Surroundings
}

/** Says how far the batches of a destination are. @returns the exit code @throws UsageError where there is none */
export async function showStatus({ destination, from, json, around }: StatusQuestion): Promise<number> {
  const wanted = from === undefined ? undefined : placeName(from, around.cwd, '--from')
  let [shown, failed] = [0, 0]
  for (const batch of await listBatches(destination)) {
    const description = await readBatchDescription(destination, batch)
    if (wanted !== undefined && description.from !== wanted) continue
    const reader = createStatusReader(destination, batch)
    const status = await reader.read()
    const failures = await readFailures(destination, batch, reader)
    shown++
    failed += failures.length
    if (json)
      around.stdout.write(`${JSON.stringify({ ...status, from: description.from, to: description.to, failures })}\n`)
    else {
      around.stdout.write(
        `batch ${batch} from ${description.from}\n  ${progressLine(status)}\n  ${outcomeText(status)}\n`,
      )
      printFailures(failures, around.stderr)
    }
  }
  if (shown === 0) throw new UsageError(`There is no batch in ${destination.name} that was begun with these places.`)
  if (!json) around.stdout.write(endingOf(`${amountOf(shown, 'batch').replace('batchs', 'batches')}`))
  return failed > 0 ? EXIT.failed : EXIT.ok
}
