import { createHash } from 'node:crypto'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'

/** A fragment of an image's URL in a stylesheet. Elsewhere no fragment of an image looks like it. */
const MARK = /#pixpress-[\da-f]{16}/g

/**
 * A mark of what will be offered beside an image in a stylesheet, as a fragment of its URL; empty where that is
 * nothing. Bundlers name stylesheets by their content before it is converted, and a name must not stand for other
 * content later. `unmarked` takes it away.
 */
export async function markOf(session: Session, own: FinishedImage, warn: Warn): Promise<string> {
  const offer = await session.alternatives.of(own.data, warn)
  if (offer === undefined || offer.others.length === 0) return ''
  const hash = createHash('sha256')
  for (const { data } of offer.others) hash.update(data)
  return `#pixpress-${hash.digest('hex').slice(0, 16)}`
}

/** The text of a page or stylesheet without marks. */
export function unmarked(text: string): string {
  return text.replace(MARK, '')
}
