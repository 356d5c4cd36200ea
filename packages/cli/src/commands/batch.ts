import { idOfBatch, openDestination } from '@pixpress/batch'
import { UsageError, parseFlags, wholeNumber } from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { BATCH_FLAGS, CHUNK_IMAGES, PRICES, QUEUE_VARIABLE, SAMPLE_IMAGES } from '../batch/flags.ts'
import { BATCH_HELP } from '../batch/help.ts'
import type { Prices } from '../batch/lines.ts'
import { createProgressLine } from '../batch/progress-line.ts'
import { runByQueue } from '../batch/run-by-queue.ts'
import { runHere } from '../batch/run-here.ts'
import type { BatchRun } from '../batch/run.ts'
import { describeBatch, machineSettings, placeOptions } from '../batch/settings.ts'
import { showEstimate } from '../batch/show-estimate.ts'
import { showStatus } from '../batch/show-status.ts'
import { parseShard } from '../compress/shard.ts'

/** Runs `pixpress batch`. @throws UsageError, PixpressError */
export async function batch(args: readonly string[], around: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, BATCH_FLAGS)
  if (flags['help'] === true) {
    around.stdout.write(BATCH_HELP)
    return EXIT.ok
  }
  if (positionals.length > 0) throw new UsageError(`Unexpected '${positionals[0]}': the images are given with --from.`)
  assertTogether(flags)
  if (flags['status'] === true) return await status(flags, around)
  const run = await openRun(flags, around)
  if (flags['dry-run'] === true)
    return await showEstimate(run, wholeNumber('sample', flags['sample']?.toString()) ?? SAMPLE_IMAGES, prices(flags))
  const shard = flags['shard'] === undefined ? undefined : parseShard(flags['shard'].toString(), around.env)
  const url = flags['queue']?.toString() ?? (shard === undefined ? around.env[QUEUE_VARIABLE] || undefined : undefined)
  if (url !== undefined) return await runByQueue(run, { url, detach: flags['detach'] === true })
  if (flags['detach'] === true) throw new UsageError('--detach is for --queue: without one nobody else works.')
  return await runHere(run, shard)
}

function status(flags: FlagValues<Flags>, around: Surroundings): Promise<number> {
  const to = flags['to']?.toString()
  if (to === undefined) throw new UsageError('--status needs --to, the place of the records.')
  const destination = openDestination(to, placeOptions(flags, around))
  return showStatus({ destination, from: flags['from']?.toString(), json: flags['json'] === true, around })
}

async function openRun(flags: FlagValues<Flags>, around: Surroundings): Promise<BatchRun> {
  const loaded = await loadConfig(around.cwd, flags['config']?.toString())
  const settings = machineSettings(flags, loaded, around)
  const places = placeOptions(flags, around)
  const description = describeBatch(flags, loaded, settings, around)
  const progress = createProgressLine(around, !settings.quiet && !settings.json)
  return {
    batch: idOfBatch(description),
    description,
    destination: openDestination(description.to, places),
    places,
    settings,
    size: wholeNumber('chunk', flags['chunk']?.toString()) ?? CHUNK_IMAGES,
    around,
    progress,
    tell(message) {
      progress.clear()
      if (!settings.quiet) around.stderr.write(`pixpress: ${visibleText(message)}\n`)
    },
  }
}

/** @throws UsageError for flags that say nothing together */
function assertTogether(flags: FlagValues<Flags>): void {
  const excluding = [
    ['queue', 'shard'],
    ['status', 'dry-run'],
    ['dry-run', 'detach'],
    ['json', 'quiet'],
  ] as const
  for (const [a, b] of excluding) {
    if (flags[a] !== undefined && flags[b] !== undefined) throw new UsageError(`--${a} and --${b} exclude each other.`)
  }
  for (const name of ['sample', ...Object.keys(PRICES)]) {
    if (flags[name] !== undefined && flags['dry-run'] !== true) throw new UsageError(`--${name} is for --dry-run.`)
  }
}

function prices(flags: FlagValues<Flags>): Prices {
  const priceOf = (name: keyof Prices): number => {
    const text = flags[name]?.toString()
    if (text === undefined) return PRICES[name]
    if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
    throw new UsageError(`Expected a price such as '0.04' for '--${name}' but received '${text}'.`)
  }
  return { price: priceOf('price'), writes: priceOf('writes'), reads: priceOf('reads') }
}
