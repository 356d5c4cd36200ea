import type { Surroundings } from '../base/output.ts'

/** What a check found. */
export interface Verdict {
  /** `warning`: images are made all the same. */
  readonly state: 'ok' | 'warning' | 'problem'
  /** What is there: one phrase, without a full stop. */
  readonly says: string
  /** What to do about it; absent where all is well. */
  readonly mend?: string
}

/** One thing that pixpress needs of a machine or a project. It never throws: what fails is what it found. */
export type Check = (around: Pick<Surroundings, 'cwd' | 'env'>) => Promise<Verdict>

export const ok = (says: string): Verdict => ({ state: 'ok', says })

export const warning = (says: string, mend: string): Verdict => ({ state: 'warning', says, mend })

export const problem = (says: string, mend: string): Verdict => ({ state: 'problem', says, mend })

/** The text of an error in one line, without a full stop at its end. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
}
