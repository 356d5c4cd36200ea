import { PixpressError } from '@pixpress/core'
import { OPERATION_DIRECTIVES, invalidOption } from '@pixpress/core/internal'
import type { Operations } from '@pixpress/core'
import type { WrittenAlternatives } from './combination.ts'
import { parseShape } from './output.ts'
import type { OutputDirectives } from './output.ts'
import { DIRECTIVES } from './rows.ts'
import type { DirectiveRow } from './rows.ts'
import { unknownDirective } from './spelling.ts'
import { GIVEN_DIRECTIVES } from './vocabulary.ts'

/** The directives of a query or of a preset, each value checked by itself. */
export interface DirectiveSet extends OutputDirectives {
  readonly alternatives: WrittenAlternatives
  /** Holds what directives without alternatives say of every image. */
  readonly operations?: Operations
  /** The media query of the part of a picture that it is for. */
  readonly media?: string
  /** The parts of a preset that is a list, the last of which is for every other medium. */
  readonly parts?: readonly DirectiveSet[]
}

/** Where the value of an own directive without alternatives goes. */
const OUTPUT_MEMBERS: Readonly<Record<string, keyof OutputDirectives>> = {
  as: 'shape',
  basePixels: 'basePixels',
  lqip: 'lqip',
}

/**
 * Checks every directive by itself; whether they go together is checked once the preset and the query are merged.
 * @param directives Directive to alternatives, as `parseQuery` gives them, without `preset`.
 * @param place The option that holds the directives; empty for a query.
 * @param outputs Names of the project's own outputs.
 * @throws PixpressError `INVALID_OPTION`: names the directive, what was expected, and what came.
 */
export function parseDirectives(
  directives: ReadonlyMap<string, readonly string[]>,
  place: string = '',
  outputs: readonly string[] = [],
): DirectiveSet {
  const alternatives: Record<string, readonly unknown[]> = {}
  const operations: Record<string, unknown> = {}
  const output: Record<string, unknown> = {}
  for (const [name, texts] of directives) {
    const option = place === '' ? name : `${place}.${name}`
    if (isGiven(name)) {
      checkGiven(name, option, texts)
      continue
    }
    const row = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined
    if (row === undefined) throw unknownDirective(name, place)
    if (row.alternatives) {
      alternatives[name] = withoutRepeats(texts.map((text) => readAlternative(row, text, option)))
      continue
    }
    const text = texts.join(';')
    const value = name === 'as' ? parseShape(text, option, outputs) : row.read(text, option)
    const operation = OPERATION_DIRECTIVES.find(({ word }) => word === name)
    if (operation === undefined) output[OUTPUT_MEMBERS[name] ?? name] = value
    else operations[operation.key] = value
  }
  return {
    alternatives: alternatives as WrittenAlternatives,
    ...output,
    ...(Object.keys(operations).length > 0 && { operations: operations as Operations }),
  }
}

/** @throws PixpressError `INVALID_OPTION`, which names `;` where a comma stands for it */
function readAlternative(row: DirectiveRow, text: string, option: string): unknown {
  try {
    return row.read(text, option)
  } catch (error) {
    const parts = text.split(',').map((part) => part.trim())
    if (!(error instanceof PixpressError) || parts.length < 2 || !parts.every((part) => isRead(row, part, option)))
      throw error
    const message = `Several values of '${option}' are separated by ';', and here a ',' stands: write '${option}=${parts.join(';')}'.`
    throw new PixpressError(error.code, message)
  }
}

function isRead(row: DirectiveRow, text: string, option: string): boolean {
  try {
    row.read(text, option)
    return true
  } catch {
    return false
  }
}

/** @throws PixpressError `INVALID_OPTION` */
function checkGiven(name: string, option: string, texts: readonly string[]): void {
  // A photo lying on its side is the one thing among them that nobody gets.
  if (name === 'autoOrient' && texts.includes('false')) throw unknownDirective('noAutoOrient')
  if (texts.some((text) => !/^(?:true|false)?$/.test(text)))
    throw invalidOption(option, "nothing, 'true' or 'false'", texts.join(';'))
}

function isGiven(name: string): boolean {
  return GIVEN_DIRECTIVES.some((given) => given === name)
}

function withoutRepeats(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
