import type { Candidate } from '../../encoding/request.ts'
import { recompressScans } from './transcode.ts'

/** Returns the same pixels, and those of every better one that is made of it, in the best scans. */
export async function scanned(candidate: Candidate): Promise<Candidate> {
  return {
    ...candidate,
    data: await withScans(candidate.data),
    scored: candidate.data,
    async raise(points) {
      const better = await candidate.raise?.(points)
      return better && scanned(better)
    },
    ...(candidate.halfway !== undefined && {
      async halfway() {
        const smaller = await candidate.halfway?.()
        return smaller && scanned(smaller)
      },
    }),
  }
}

/** Recompresses with the best progressive scans, whose headers may outweigh in a tiny file what they save. */
async function withScans(data: Uint8Array): Promise<Uint8Array> {
  const progressive = (await recompressScans(data)) ?? data
  return progressive.length < data.length ? progressive : data
}
