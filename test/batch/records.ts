import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

/** A completion record, as docs/batch.md describes it. */
export interface CompletionRecord {
  readonly summary: {
    readonly chunk: string
    readonly worker: string
    readonly images: number
    readonly encoded: number
  }
  readonly images: readonly { readonly key: string; readonly state: string; readonly output?: string }[]
}

/** Reads the records of the one batch of a folder of results. */
export async function readRecords(to: string): Promise<CompletionRecord[]> {
  const folder = path.join(to, '.pixpress-batch')
  const [batch] = (await readdir(path.join(folder, 'batches'))).map((name) => path.basename(name, '.json'))
  const names = await readdir(path.join(folder, batch!))
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(path.join(folder, batch!, name), 'utf8')) as CompletionRecord),
  )
}
