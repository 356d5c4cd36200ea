import type { Candidate } from '../../encoding/request.ts'
import { recompressScans } from './transcode.ts'

/** Returns a sequential file's pixels in progressive scans; `undefined` where that fails. */
export type Rewrite = (data: Uint8Array) => Promise<Uint8Array | undefined>

/**
 * Returns the same pixels, and those of every better one that is made of it, in progressive scans.
 * @param rewrite default: searches for the best scans
 */
export async function scanned(candidate: Candidate, rewrite: Rewrite = recompressScans): Promise<Candidate> {
  return {
    ...candidate,
    data: await withScans(candidate.data, rewrite),
    scored: candidate.data,
    async raise(points) {
      const better = await candidate.raise?.(points)
      return better && scanned(better, rewrite)
    },
    ...(candidate.halfway !== undefined && {
      async halfway() {
        const smaller = await candidate.halfway?.()
        return smaller && scanned(smaller, rewrite)
      },
    }),
  }
}

/** Scans have headers, which may outweigh in a tiny file what they save. */
async function withScans(data: Uint8Array, rewrite: Rewrite): Promise<Uint8Array> {
  const progressive = (await rewrite(data)) ?? data
  return progressive.length < data.length ? progressive : data
}
