import type { FileStat, Files } from '../../base/files.ts'
import type { CompilerLike } from './compiler.ts'

/** The part of webpack's and Rspack's input file systems that is used here. */
interface InputFileSystem {
  readFile(file: string, callback: Callback<string | Uint8Array>): void
  stat(file: string, callback: Callback<FileStat>): void
  readdir(folder: string, callback: Callback<readonly (string | Uint8Array)[]>): void
  /** Optional, as Rspack's own file system and those of plugins need not have the two. */
  readFileSync?(file: string): string | Uint8Array
  statSync?(file: string): FileStat
}

/**
 * Bytes up to which a file is read at once: four turns through the thread pool for each of a thousand images take
 * longer.
 */
const AT_ONCE = 256 * 1024

type Callback<T> = (error: Error | null | undefined, result?: T) => void

/**
 * The sources of a compiler as it sees them itself, so that images that only exist there (virtual modules, a file
 * system in memory) are found too. The file system is looked up at each call, for it may be replaced after plugins were
 * applied.
 */
export function compilerFiles(compiler: CompilerLike): Files {
  function call<T>(run: (files: InputFileSystem, callback: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      run(compiler.inputFileSystem as InputFileSystem, (error, result) => {
        if (error) reject(error)
        else resolve(result as T)
      })
    })
  }
  return {
    async readFile(file) {
      const files = compiler.inputFileSystem as InputFileSystem
      const isSmall =
        files.readFileSync !== undefined && files.statSync !== undefined && files.statSync(file).size <= AT_ONCE
      const content = isSmall
        ? files.readFileSync!(file)
        : await call<string | Uint8Array>((_, callback) => files.readFile(file, callback))
      if (typeof content === 'string') return Buffer.from(content)
      return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    },
    stat: (file) =>
      call<FileStat>((files, callback) => files.stat(file, callback)).catch(() => {
        // There is nothing, or nothing to be read.
        return undefined
      }),
    async readdir(folder) {
      const names = await call<readonly (string | Uint8Array)[]>((files, callback) => files.readdir(folder, callback))
      return names.map(String)
    },
  }
}
