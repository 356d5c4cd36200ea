import { codecFault } from '@pixpress/core/internal'
import type { Surroundings } from '../base/output.ts'

/** Verdict of a check. */
export interface Verdict {
  /** `warning`: images are made all the same. */
  readonly state: 'ok' | 'warning' | 'problem'
  /** One phrase about what is there, without a full stop. */
  readonly says: string
  /** One phrase about what to do; absent if all is well. */
  readonly mend?: string
}

/** One thing that pixpress needs of a machine or a project. It never throws: what fails is what it found. */
export type Check = (around: Pick<Surroundings, 'cwd' | 'env'>) => Promise<Verdict>

/** Makes the verdict that all is well. */
export const ok = (says: string): Verdict => ({ state: 'ok', says })

/** Makes the verdict of a fault that stops nothing. */
export const warning = (says: string, mend: string): Verdict => ({ state: 'warning', says, mend })

/** Makes the verdict of a fault. */
export const problem = (says: string, mend: string): Verdict => ({ state: 'problem', says, mend })

/** The text of an error in one line, without a full stop at its end. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
}

/** Makes the verdict of an error that says in its last sentences what mends it. */
export function faultVerdict(error: unknown): Verdict {
  const [says = '', ...mend] = textOf(codecFault(error) ?? error).split('. ')
  return problem(says, mend.join('. ') || 'Run: npm install --force')
}
