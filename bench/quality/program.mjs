import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Milliseconds after which a program is taken to hang. */
const TIMEOUT = 10 * 60_000

/** The path of a program on the PATH, or `undefined`. */
export function findProgram(name) {
  const candidates = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name))
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      // The program does not exist, or we may not run it.
      return false
    }
  })
}

/**
 * Runs a program that writes one file, and gives that file's bytes.
 * @param argumentsFor makes the arguments from the path of the file to write
 */
export async function runForFile(program, extension, argumentsFor) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
  try {
    const output = path.join(folder, `output.${extension}`)
    await promisify(execFile)(program, argumentsFor(output), { timeout: TIMEOUT, killSignal: 'SIGKILL' })
    return await readFile(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
