import { zip } from 'fflate'
import type { Result } from './job.ts'
import { distinctNames } from './names.ts'

/** Milliseconds after which the browser has begun to save a file. */
const SAVED = 60_000

/** Saves pictures as one ZIP archive; of equal names, the second gets a number. */
export async function saveArchive(results: readonly Result[], name: string): Promise<void> {
  const names = distinctNames(results.map((each) => each.name))
  const contents = await Promise.all(results.map(async ({ data }) => new Uint8Array(await data.arrayBuffer())))
  const entries = Object.fromEntries(names.map((each, at) => [each, contents[at]!]))
  // Pictures do not get any smaller.
  const archive = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    zip(entries, { level: 0 }, (error, data) =>
      error === null ? resolve(data as Uint8Array<ArrayBuffer>) : reject(error),
    )
  })
  save(new Blob([archive], { type: 'application/zip' }), name)
}

/** Saves a file under a name. */
export function save(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED)
}
