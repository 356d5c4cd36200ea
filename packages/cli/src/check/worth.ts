import { OPERATION_FLAGS, parseFlags } from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import { STEPS, worthOf } from '@pixpress/core/report'
import type { Worth } from '@pixpress/core/report'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import type { CheckResult } from './result.ts'

/**
 * Adds up the saving of compressing the images that are too large. Returns `undefined` if there are none.
 * @param command that does it, see `compressCommand`
 */
export function shrinkingWorth({ findings }: Pick<CheckResult, 'findings'>, command: string): Worth | undefined {
  const own = findings.filter(({ rule }) => rule === 'could-shrink')
  if (own.length === 0) return undefined
  const saves = own.reduce((sum, { bytes, possible = bytes }) => sum + bytes - possible, 0)
  return { ...worthOf('compress', saves, own.length), setting: command }
}

/**
 * The command that compresses what was checked, with the same operations, for a shell.
 * @param patterns as they were given
 * @throws UsageError where `compress` would not take it
 */
export function compressCommand(patterns: readonly string[], flags: FlagValues<Flags>): string {
  const taken = Object.entries(flags).filter(([name]) => Object.hasOwn(OPERATION_FLAGS, name) || name === 'config')
  const args = taken.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, String(value)]))
  const all = [...patterns, ...args]
  parseFlags(all, COMPRESS_FLAGS)
  return [STEPS.compress.setting, ...all.map(quoted)].join(' ')
}

const quoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
