import type { Flags } from '@pixpress/core/internal'
import type { Surroundings } from '../base/output.ts'

/** One command. Its modules are loaded when it is asked for: `serve` needs much that `compress` does not. */
export interface Command {
  /** One clause for the help. */
  readonly summary: string
  /** Loads what runs the command: arguments in, exit code out. */
  load(): Promise<(args: readonly string[], around: Surroundings) => Promise<number>>
  /** Loads the command's flags, for shells to complete. */
  flags(): Promise<Flags>
  /** Loads the words that the first argument can be. Absent where that is a file. */
  words?(): Promise<readonly string[]>
}

/** The commands by their names. */
export type Commands = Readonly<Record<string, Command>>
