import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { open, photo } from '../../images.ts'

/** A photograph that leaves room for saving. */
export const source: Buffer = await open(photo()).jpeg({ quality: 97 }).toBuffer()

/** Compresses it. */
export const job = (changes: Partial<Job> = {}): Job => ({
  source,
  type: 'image/jpeg',
  operations: resolveOperations(),
  limits: DEFAULT_LIMITS,
  file: 'a.jpg',
  ...changes,
})
