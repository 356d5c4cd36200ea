import { connectQueue, openDestination, readBatchDescription, takeChunks, workOnChunk } from '@pixpress/batch'
import type { BatchTools, RecordSummary } from '@pixpress/batch'
import { UsageError, parseFlags } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import { amountOf, endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'
import { QUEUE_VARIABLE, WORK_FLAGS } from '../batch/flags.ts'
import { WORK_HELP } from '../batch/help.ts'
import { chunkLine } from '../batch/lines.ts'
import { machineSettings, placeOptions } from '../batch/settings.ts'
import { createTools } from '../batch/tools.ts'
import { exitCodeOfSignal, openWorkers } from '../compress/workers.ts'

/** Runs `pixpress work`. @throws UsageError, PixpressError */
export async function work(args: readonly string[], around: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, WORK_FLAGS, around.env)
  const { stdout, stderr, signal } = around
  if (flags['help'] === true) {
    stdout.write(WORK_HELP)
    return EXIT.ok
  }
  if (positionals.length > 0) throw new UsageError(`Unexpected '${positionals[0]}': work comes from the queue.`)
  const url = flags['queue']?.toString()
  if (url === undefined) throw new UsageError(`--queue is needed: the URL of the queue, or ${QUEUE_VARIABLE}.`)
  const settings = machineSettings(flags, await loadConfig(around.cwd, flags['config']?.toString()), around)
  const tell = (message: string): void => {
    if (!settings.quiet) stderr.write(`pixpress: ${visibleText(message)}\n`)
  }
  const connection = await connectQueue(url, tell)
  const { optimizer } = openWorkers(settings, tell)
  const places = placeOptions(flags, around)
  const toolsOf = createToolbox(async (to, batch) => {
    const destination = openDestination(to, places)
    const description = await readBatchDescription(destination, batch)
    return createTools({ description, destination, places, settings, optimizer, signal })
  })
  let done = 0
  const show = (summary: RecordSummary): void => {
    done++
    if (settings.json) stdout.write(`${JSON.stringify(summary)}\n`)
    else if (!settings.quiet) stdout.write(`${chunkLine(summary)}\n`)
  }
  try {
    await takeChunks(connection, {
      perform: async ({ to, batch, chunk }) => show(await workOnChunk(chunk, await toolsOf(to, batch))),
      signal,
      untilEmpty: flags['until-empty'] === true,
      onFailed: ({ message }) => tell(`A chunk failed, and is tried again later: ${message}`),
    })
  } finally {
    connection.close()
    if (!signal.aborted) await optimizer.close()
  }
  if (signal.aborted) {
    stderr.write('pixpress: stopped; a chunk that was under way is in the queue again.\n')
    return exitCodeOfSignal(signal)
  }
  if (!settings.json && !settings.quiet) stdout.write(endingOf(`${amountOf(done, 'chunk')} done, and none is left`))
  return EXIT.ok
}

/** Keeps the tools of the batch that was worked on last: the chunks of one come one after the other. */
function createToolbox(
  open: (to: string, batch: string) => Promise<BatchTools>,
): (to: string, batch: string) => Promise<BatchTools> {
  let last: { readonly name: string; readonly tools: BatchTools } | undefined
  return async (to, batch) => {
    const name = `${batch} ${to}`
    if (last?.name !== name) last = { name, tools: await open(to, batch) }
    return last.tools
  }
}
