import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseBytes, parseFlags, projectFolder, wholeNumber } from '@pixpress/core/internal'
import { tableStyle, visibleText } from '@pixpress/core/report'
import { AUDIT_FLAGS, AUDIT_HELP, LEAST_WASTE } from '../audit/flags.ts'
import { auditData, auditText } from '../audit/output.ts'
import { NO_SOURCES, readSources } from '../audit/sources.ts'
import { planWrites, write } from '../audit/writes.ts'
import { runAudit } from '../audit/run-audit.ts'
import type { AuditResult, AuditTask } from '../audit/run-audit.ts'
import { pageOfUrl, pagesOfFolder } from '../audit/site/pages.ts'
import type { Page } from '../audit/site/pages.ts'
import { serveFolder } from '../audit/site/serve-folder.ts'
import { DEFAULT_VIEWPORTS, parseViewports } from '../audit/viewports.ts'
import { exitCodeOfSignal } from '../compress/workers.ts'
import { EXIT, UsageError } from '../exit.ts'
import type { Surroundings } from '../output.ts'

/** Pages that links are followed to where nothing else is said. */
const MOST_LINKED = 20

/** `pixpress audit`. @throws UsageError, PixpressError `INVALID_OPTION` or `IO_FAILED` */
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
  const viewports = parseViewports(flags.viewports ?? DEFAULT_VIEWPORTS)
  const mostPages = wholeNumber('pages', flags.pages)
  const leastWaste = parseBytes('--min-waste', flags['min-waste'] ?? LEAST_WASTE, 0)
  const known = flags.sources === undefined ? projectFolder(cwd) : path.resolve(cwd, flags.sources)
  const project = known ?? cwd
  if (!(await isFolder(project))) throw new UsageError(`'${flags.sources}' of '--sources' is no folder.`)
  const folder = path.resolve(cwd, target)
  const isServed = await isFolder(folder)
  const dryRun = flags['dry-run'] === true
  if (dryRun && flags.write !== true) throw new UsageError('--dry-run is for --write.')
  const task = {
    viewports,
    env,
    signal,
    onPage: (page: string) => {
      if (stderr.isTTY === true) stderr.write(visibleText(`looking at ${page}`) + '\n')
    },
  }
  const running = isServed
    ? ofFolder(folder, baseOf(flags.base), mostPages, task)
    : runAudit({ ...task, pages: [pageOfUrl(target)], mostPages: mostPages ?? MOST_LINKED })
  const result = await running.catch((error: unknown) => {
    // The browser was ended with it.
    if (signal.aborted) return undefined
    throw error
  })
  if (signal.aborted || result === undefined) {
    stderr.write('pixpress: stopped.\n')
    return exitCodeOfSignal(signal)
  }
  const output = isServed ? folder : undefined
  const files = known === undefined ? NO_SOURCES : await readSources(known, output)
  const plan = await planWrites(result.visits, { project, files, output, leastWaste })
  if (flags.write === true && !dryRun) await write(project, plan)
  const wrote = flags.write === true ? (dryRun ? 'would' : 'did') : 'not'
  const style = tableStyle(stdout, env)
  stdout.write(flags.json ? auditData(result, plan) : auditText(result, plan, wrote, style))
  for (const { page, message } of result.failures) stderr.write(`pixpress: ${visibleText(`${page}: ${message}`)}\n`)
  if (result.failures.length > 0) return EXIT.failed
  return plan.findings.length > 0 ? EXIT.found : EXIT.ok
}

async function ofFolder(
  folder: string,
  base: string,
  mostPages: number | undefined,
  task: Omit<AuditTask, 'pages' | 'mostPages'>,
): Promise<AuditResult> {
  const served = await serveFolder(folder, base)
  try {
    const pages: Page[] = await pagesOfFolder(folder, served.url)
    if (pages.length === 0) throw new UsageError(`'${folder}' has no page: no .html file is in it.`)
    return await runAudit({ ...task, pages: pages.slice(0, mostPages), mostPages: undefined })
  } finally {
    await served.close()
  }
}

/** `/docs/`, however it is written. */
const baseOf = (text: string = '/'): string => `/${text.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/')

const isFolder = async (place: string): Promise<boolean> =>
  (await stat(place).catch(() => undefined))?.isDirectory() === true
