import { stat } from 'node:fs/promises'
import path from 'node:path'
import {
  DEFAULT_VIEWPORTS,
  auditData,
  auditFolder,
  auditText,
  auditUrl,
  parseViewports,
  planWrites,
  writeFiles,
} from '@pixpress/audit'
import { UsageError, parseBytes, parseFlags, projectFolder, wholeNumber } from '@pixpress/core/internal'
import { tableStyle, visibleText } from '@pixpress/core/report'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { exitCodeOfSignal } from '../compress/workers.ts'
import { AUDIT_FLAGS, AUDIT_HELP, LEAST_WASTE } from './audit-flags.ts'

/** Runs `pixpress audit`. @throws UsageError, PixpressError `INVALID_OPTION` or `IO_FAILED` */
export async function audit(args: readonly string[], around: Surroundings): Promise<number> {
  const { cwd, env, stdout, stderr, signal } = around
  const { flags, positionals } = parseFlags(args, AUDIT_FLAGS)
  if (flags.help) {
    stdout.write(AUDIT_HELP)
    return EXIT.ok
  }
  const [target, ...others] = positionals
  if (target === undefined || others.length > 0) {
    throw new UsageError('Expected one folder, or one URL of this machine: pixpress audit dist.')
  }
  const task = {
    viewports: parseViewports(flags.viewports ?? DEFAULT_VIEWPORTS),
    mostPages: wholeNumber('pages', flags.pages),
    env,
    signal,
    onPage: (page: string) => {
      if (stderr.isTTY === true) stderr.write(visibleText(`looking at ${page}`) + '\n')
    },
  }
  const leastWaste = parseBytes('--min-waste', flags['min-waste'] ?? LEAST_WASTE, 0)
  const known = flags.sources === undefined ? projectFolder(cwd) : path.resolve(cwd, flags.sources)
  const project = known ?? cwd
  if (!(await isFolder(project))) throw new UsageError(`'${flags.sources}' of '--sources' is no folder.`)
  const dryRun = flags['dry-run'] === true
  if (dryRun && flags.write !== true) throw new UsageError('--dry-run is for --write.')
  const folder = path.resolve(cwd, target)
  const output = (await isFolder(folder)) ? folder : undefined
  const running = output === undefined ? auditUrl(target, task) : auditFolder(output, flags.base ?? '/', task)
  const result = await running.catch((error: unknown) => {
    // The browser was ended with it.
    if (signal.aborted) return undefined
    throw error
  })
  if (signal.aborted || result === undefined) {
    stderr.write('pixpress: stopped.\n')
    return exitCodeOfSignal(signal)
  }
  const plan = await planWrites(result.visits, { project, hasSources: known !== undefined, output, leastWaste })
  if (flags.write === true && !dryRun) await writeFiles(project, plan)
  const wrote = flags.write === true ? (dryRun ? 'would' : 'did') : 'not'
  const style = tableStyle(stdout, env)
  stdout.write(flags.json ? auditData(result, plan) : auditText(result, plan, wrote, style))
  for (const { page, message } of result.failures) stderr.write(`pixpress: ${visibleText(`${page}: ${message}`)}\n`)
  if (result.failures.length > 0) return EXIT.failed
  return plan.findings.length > 0 ? EXIT.found : EXIT.ok
}

const isFolder = async (place: string): Promise<boolean> =>
  (await stat(place).catch(() => undefined))?.isDirectory() === true
