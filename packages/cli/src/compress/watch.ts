import path from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { formatBytes, formatChange } from '@pixpress/core/report'

/** Options of watching. */
export interface WatchOptions {
  readonly cwd: string
  /** The files, folders and globs that were given. */
  readonly patterns: readonly string[]
  /** Works on one file, where it is among the inputs that the patterns stand for now. @param file absolute */
  readonly compress: (file: string) => Promise<void>
  readonly signal: AbortSignal
  /** Called once the watcher sees changes. */
  readonly onReady: () => void
}

/** Milliseconds without a change after which a file counts as whole: programs write large images in pieces. */
const SETTLED = 200

/** Works on every image that is added or changed, one after the other, until it is aborted. */
export async function watchInputs(options: WatchOptions): Promise<void> {
  const { cwd, signal } = options
  if (signal.aborted) return
  let work: Promise<void> = Promise.resolve()
  const watcher = watchFiles(watchedFolders(options), {
    ignoreInitial: true,
    ignored: (file) => /[\\/](?:node_modules|\.git)(?:[\\/]|$)|\.tmp$/.test(path.relative(cwd, file)),
    awaitWriteFinish: { stabilityThreshold: SETTLED, pollInterval: SETTLED / 4 },
  })
  const changed = (file: string): void => {
    work = work.then(async () => {
      if (!signal.aborted) await options.compress(path.resolve(cwd, file))
    })
  }
  watcher.on('add', changed).on('change', changed).on('ready', options.onReady)
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await watcher.close()
  await work
}

/** Chokidar knows no globs: of each the fixed part is watched. */
function watchedFolders({ cwd, patterns }: WatchOptions): string[] {
  return patterns.map((pattern) => {
    const parts = pattern.split(/[\\/]/)
    const first = parts.findIndex((part) => /[*?[\]{}()!]/.test(part))
    return path.resolve(cwd, first === -1 ? pattern : parts.slice(0, first).join('/') || '.')
  })
}

/** `hero.jpg  120.4 kB → 48.1 kB  -60%` */
export function changeLine(shown: string, before: number, after: number): string {
  return `${shown}  ${formatBytes(before)} → ${formatBytes(after)}  ${formatChange(before, after)}`
}
