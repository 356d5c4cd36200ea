import type { BatchDescription, Destination, PlaceOptions, StatusReader } from '@pixpress/batch'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { printFailures, readFailures } from './failures.ts'
import { outcomeText } from './lines.ts'
import type { ProgressLine } from './progress-line.ts'

/** A run of `pixpress batch`. */
export interface BatchRun {
  readonly batch: string
  readonly description: BatchDescription
  readonly destination: Destination
  readonly places: PlaceOptions
  readonly settings: CompressSettings
  /** Images of a chunk. */
  readonly size: number
  readonly around: Surroundings
  readonly progress: ProgressLine
  /** Prints a line on standard error, unless the run is quiet. */
  readonly tell: (message: string) => void
}

/** A chunk that is left for the next run, and why. */
export interface LeftChunk {
  readonly chunk: string
  readonly reason: string
}

/**
 * Prints what became of a batch.
 * @param left chunks that could not be worked on
 * @returns the exit code
 */
export async function printOutcome(run: BatchRun, reader: StatusReader, left: readonly LeftChunk[]): Promise<number> {
  const { batch, description, destination, settings, around, progress } = run
  const status = await reader.read()
  const failures = await readFailures(destination, batch, reader)
  progress.clear()
  if (settings.json) {
    const { from, to } = description
    around.stdout.write(`${JSON.stringify({ ...status, from, to, failures, left })}\n`)
  } else {
    printFailures(failures, around.stderr)
    for (const { chunk, reason } of left) around.stderr.write(`pixpress: chunk ${chunk} is left: ${reason}\n`)
    if (!settings.quiet) around.stdout.write(endingOf(`batch ${batch}: ${outcomeText(status)}`))
  }
  return failures.length > 0 || left.length > 0 ? EXIT.failed : EXIT.ok
}
