import { bashScript } from './bash.ts'
import type { CommandWords } from './command-words.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

/** Names of the supported shells. */
export const SHELL_NAMES = ['bash', 'zsh', 'fish'] as const

/** Name of a shell. */
export type ShellName = (typeof SHELL_NAMES)[number]

interface Shell {
  /** A whole script, which knows every command and flag and starts no program. */
  readonly script: (commands: readonly CommandWords[]) => string
  /** Where to put it, for the help. */
  readonly load: string
}

/** How completion is written for each shell. */
export const SHELLS: Readonly<Record<ShellName, Shell>> = {
  bash: { script: bashScript, load: 'eval "$(pixpress completion bash)" in ~/.bashrc' },
  zsh: { script: zshScript, load: 'eval "$(pixpress completion zsh)" in ~/.zshrc, after compinit' },
  fish: { script: fishScript, load: 'pixpress completion fish > ~/.config/fish/completions/pixpress.fish' },
}
