import { statSync } from 'node:fs'
import path from 'node:path'
import type { ReportUntouched } from '@pixpress/core/report'
import { diskFiles, filesOf } from '../base/files.ts'
import { IMAGE_FILE, relativePath } from '../base/paths.ts'
import { isDrawing } from '../references/types.ts'
import type { SettledBytes } from './encode/settled-bytes.ts'
import type { ResolvedOptions } from './options/options.ts'

/** The files that a build has written. */
export interface Output {
  /** Absolute path. Files that were written below it since the last report are looked at. */
  readonly folder: string
  /** Files that the bundler lists besides, relative to the folder; with their bytes if they are yet to be written. */
  readonly files?: Iterable<readonly [name: string, bytes?: number]>
  /** Files that an earlier process may have worked on, relative to the folder. */
  readonly kept?: Iterable<string>
}

/** Finds the raster images of an output that nothing here has worked on. */
export interface LeftAlone {
  /** Notes a reference whose image is delivered unchanged, as another tool may know its query. */
  query(file: string, query: string): void
  output(output: Output): void
  /** Lists those since the last call, the largest first. Names and sizes tell them, as no file is to be read for it. */
  find(): Promise<readonly ReportUntouched[]>
}

/** Makes the notes of a session. */
export function createLeftAlone(
  { root, publicDir }: Pick<ResolvedOptions, 'root' | 'publicDir'>,
  { settled, matches }: { settled: SettledBytes; matches: (file: string) => boolean },
): LeftAlone {
  const queries = new Map<string, string>()
  const outputs: Output[] = []
  let since = Date.now()

  /** Bytes of the raster images that were written to a folder. */
  async function writtenTo(folder: string): Promise<readonly (readonly [file: string, bytes: number])[]> {
    // Sources lie in such a folder as well.
    if (isBelow(root, folder)) return []
    const files = await filesOf(folder, (each) => path.basename(each) !== 'node_modules').catch(() => [])
    return files.filter(isRaster).flatMap((file) => {
      const found = statSync(file, { throwIfNoEntry: false })
      return found !== undefined && found.ctimeMs >= since ? [[file, found.size] as const] : []
    })
  }

  return {
    query: (file, query) => void queries.set(file, query),
    output(output) {
      // Without it, nobody wants copies and other plugins' images to be worked on.
      if (publicDir) outputs.push(output)
    },
    async find() {
      const [all, asked] = [outputs.splice(0), [...queries]]
      const found = new Map<string, number>()
      for (const { folder, files = [] } of all) {
        for (const [file, bytes] of await writtenTo(folder)) found.set(file, bytes)
        for (const [name, bytes] of files) {
          const file = path.join(folder, name)
          if (isRaster(file)) found.set(file, bytes ?? sizeOf(file))
        }
      }
      for (const { folder, kept = [] } of all) for (const name of kept) found.delete(path.join(folder, name))
      queries.clear()
      since = Date.now()
      if (found.size === 0) return []
      const known = await settled.sizes(diskFiles)
      const queryOf = new Map(asked.map(([file, query]) => [sizeOf(file), query]))
      const isExcluded = (file: string): boolean =>
        !matches(file) ||
        all.some(({ folder }) => isBelow(file, folder) && !matches(path.join(root, path.relative(folder, file))))
      return [...found]
        .filter(([file, bytes]) => bytes > 0 && !known.has(bytes) && !isExcluded(file))
        .map(([file, bytes]) => {
          const query = queryOf.get(bytes)
          return { file: relativePath(root, file), bytes, ...(query !== undefined && { query }) }
        })
        .sort((a, b) => b.bytes - a.bytes || (a.file < b.file ? -1 : 1))
    },
  }
}

const isRaster = (file: string): boolean => IMAGE_FILE.test(file) && !isDrawing(file)

/** Tells whether a path is that of a folder, or of something in it. */
const isBelow = (file: string, folder: string): boolean => !/^\.\.(?:[\\/]|$)/.test(path.relative(folder, file))

/** Bytes; 0 where there is no such file. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
