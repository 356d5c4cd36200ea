import { isInteractive } from '@pixpress/core/report'
import type { Surroundings } from '../base/output.ts'

/** Milliseconds between lines where nobody can watch one change. */
const LINE_EVERY = 10_000

/** A line that says how far something is. */
export interface ProgressLine {
  show(text: string): void
  /** Ends the line, so that something else can be printed. */
  clear(): void
}

/** Creates the line: one that changes on a terminal, and a new one now and then elsewhere. */
export function createProgressLine({ stderr, env }: Surroundings, isShown: boolean): ProgressLine {
  const rewrites = isInteractive(stderr, env)
  let shown = ''
  let shownAt = Number.NEGATIVE_INFINITY
  const clear = (): void => {
    if (rewrites && shown !== '') stderr.write('\r\u001b[K')
    shown = ''
  }
  return {
    clear,
    show(text) {
      if (!isShown || text === shown) return
      if (rewrites) stderr.write(`\r\u001b[K${text}`)
      else if (performance.now() - shownAt < LINE_EVERY) return
      else stderr.write(`pixpress: ${text}\n`)
      shown = text
      shownAt = performance.now()
    },
  }
}
