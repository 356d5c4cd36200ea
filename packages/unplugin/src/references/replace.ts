import type { Reference } from './types.ts'

/**
 * The text with references replaced by the URLs that `replace` gives; those it answers `undefined` for stay.
 *
 * @param references References of this very text, in order and not overlapping.
 */
export function replaceReferences<R extends Reference>(
  text: string,
  references: readonly R[],
  replace: (reference: R) => string | undefined,
): string {
  let result = ''
  let copied = 0
  for (const reference of references) {
    const url = replace(reference)
    if (url === undefined) continue
    result += text.slice(copied, reference.start) + reference.encode(url)
    copied = reference.end
  }
  return result + text.slice(copied)
}

/** The same with URLs that have to be waited for. */
export async function replaceAwaited(
  text: string,
  references: readonly Reference[],
  replace: (reference: Reference) => Promise<string | undefined>,
): Promise<string> {
  const urls = await Promise.all(references.map(replace))
  const byReference = new Map(references.map((reference, index) => [reference, urls[index]]))
  return replaceReferences(text, references, (reference) => byReference.get(reference))
}
