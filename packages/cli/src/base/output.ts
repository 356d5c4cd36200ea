import type { OutputStream } from '@pixpress/core/report'

/** A stream that text is written to. */
export interface TextStream extends OutputStream {
  write(text: string | Uint8Array): unknown
}

/** The process around a command. Tests replace it, so that they need not start one. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Aborted when the person asks the command to stop; the reason is the name of the system's signal. */
  readonly signal: AbortSignal
}

/** Returns a number with its noun: `4 images`, `1 finding`. */
export const amountOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Returns the last line of a command, which says what was achieved. */
export const endingOf = (text: string): string => `pixpress  ${text}\n`

/** Returns the surroundings of this process. @param signal aborted when the command is to stop; default: never */
export function surroundings(signal: AbortSignal = new AbortController().signal): Surroundings {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal,
  }
}
