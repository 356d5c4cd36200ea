import { createStatusReader, listImages, workHere, writeBatchDescription } from '@pixpress/batch'
import type { ChunkFacts } from '@pixpress/batch'
import type { Shard } from '../compress/shard.ts'
import { exitCodeOfSignal, openWorkers } from '../compress/workers.ts'
import { chunkLine } from './lines.ts'
import { printOutcome } from './run.ts'
import type { BatchRun, LeftChunk } from './run.ts'
import { createTools } from './tools.ts'

/**
 * Lists a batch and works on all of it, or on one part, on this machine.
 * @returns the exit code
 */
export async function runHere(run: BatchRun, shard: Shard | undefined): Promise<number> {
  const { batch, description, destination, settings, size, around, progress, tell } = run
  const { signal } = around
  const workers = openWorkers(settings, tell)
  const left: LeftChunk[] = []
  try {
    const tools = createTools({ ...run, optimizer: workers.optimizer, signal })
    progress.show('listing the images')
    await writeBatchDescription(destination, description)
    const due: ChunkFacts[] = []
    const onDue = async (facts: ChunkFacts): Promise<void> => void due.push(facts)
    const listing = await listImages({ source: tools.source, destination, batch, size, shard, signal, onDue })
    let done = 0
    await workHere(due, tools, {
      onDone(summary) {
        done++
        progress.show(`${done} of ${due.length} chunks here, ${listing.chunks.length} in all; ${chunkLine(summary)}`)
      },
      onFailed: ({ chunk }, { message }) => void left.push({ chunk, reason: message }),
    })
  } catch (error) {
    if (!signal.aborted) throw error
    progress.clear()
    around.stderr.write('pixpress: stopped; the same command goes on with what is left.\n')
    return exitCodeOfSignal(signal)
  } finally {
    if (!signal.aborted) await workers.optimizer.close()
  }
  return printOutcome(run, createStatusReader(destination, batch), left)
}
