import { markdownFiles, readPage } from '../markdown.ts'

/** A block of code of a page that users read. */
export interface Snippet {
  readonly page: string
  /** The line of the fence, from 1. */
  readonly line: number
  /** Empty where the fence names none. */
  readonly language: string
  readonly code: string
  /** Why it is not run: what the comment before it says, `<!-- not run: … -->`. */
  readonly notRun: string | undefined
}

const FENCE = /^(?:<!-- not run: ([^\n]+?) -->\n+)?```([\w-]*)[^\n]*\n([^]*?)^```$/gm

/** The code of the README, of the guides in `docs` and of the packages' pages in the registry. */
export async function readSnippets(): Promise<Snippet[]> {
  const pages = (await markdownFiles()).filter((file) =>
    /^(?:README\.md|docs\/[\w-]+\.md|packages\/[\w-]+\/README\.md)$/.test(file),
  )
  const snippets = await Promise.all(pages.map(async (page) => snippetsOf(page, await readPage(page))))
  return snippets.flat()
}

export function snippetsOf(page: string, text: string): Snippet[] {
  return [...text.matchAll(FENCE)].map(({ index, 0: block, 1: notRun, 2: language, 3: code }) => ({
    page,
    line: text.slice(0, index + block.indexOf('```')).split('\n').length,
    language: language!,
    code: code!,
    notRun,
  }))
}

/** Its place and its first words, as a title of a test. */
export const titleOf = ({ page, line, code }: Snippet): string => `${page}:${line} ${code.split('\n', 1)[0]}`
