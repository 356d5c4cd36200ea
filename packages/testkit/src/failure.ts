import { expect } from 'vitest'

type Fact = string | number

/**
 * Matches a text that names these facts in this order: files, options, figures, codes. The snapshots of wording alone
 * hold the words between them, so that a better sentence breaks no other test.
 */
export const naming = (...facts: readonly Fact[]): string =>
  expect.stringMatching(new RegExp(facts.map((fact) => patternOf(String(fact))).join('[^]*'))) as string

/** Matches an error by its code, or by the name of its class where it has no code, and by the facts of its message. */
export const failure = (kind: string, ...facts: readonly Fact[]): Error =>
  expect.objectContaining({
    ...(/^[A-Z_]+$/.test(kind) ? { code: kind } : { name: kind }),
    ...(facts.length > 0 && { message: naming(...facts) }),
  }) as Error

/** A figure is no part of a longer one: '1 image' is not in '11 images'. */
function patternOf(fact: string): string {
  const escaped = fact.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return (/^\d/.test(fact) ? String.raw`(?<![\d.])` : '') + escaped + (/\d$/.test(fact) ? String.raw`(?!\d)` : '')
}
