import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'

/**
 * The mark of a page that pixpress wrote into the output: a report shows images of the site, but is no page of it. The
 * report page of core has it in its head.
 */
const MARK = /<meta\s+name=["']?generator["']?\s+content=["']pixpress report["']/i

/** Bytes within which a page that has the mark has it. */
const HEAD = 8192

/** Returns whether pixpress wrote a page itself. */
export const isOwnPage = (html: string): boolean => MARK.test(html.slice(0, HEAD))

/** Returns the same of a file, of which no more than the head is read. One that cannot be read is nobody's. */
export async function isOwnFile(file: string): Promise<boolean> {
  const head = await text(createReadStream(file, { end: HEAD - 1 })).catch(() => '')
  return isOwnPage(head)
}
