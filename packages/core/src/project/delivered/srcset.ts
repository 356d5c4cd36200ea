/** An image candidate of a `srcset`. */
export interface SrcsetCandidate {
  url: string
  /** UTF-16 offsets of the URL in the attribute's value. */
  start: number
  end: number
  /**
   * `2x`, `640w`, `640w 480h` …, as written but for the white space around and between descriptors; empty if there is
   * none.
   */
  descriptor: string
}

const BETWEEN_CANDIDATES = /[\t\n\f\r ,]*/y
const URL_RUN = /[^\t\n\f\r ]*/y
// Commas inside parentheses are part of a descriptor; an open parenthesis reaches to the end.
const DESCRIPTORS = /(?:[^(,]+|\([^)]*(?:\)|$))*/y

/**
 * Reads the candidates of a `srcset`, as browsers do: a URL may hold commas, though not at its ends
 * (https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute). Descriptors are not checked.
 */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = []
  let position = endOf(BETWEEN_CANDIDATES, value, 0)
  while (position < value.length) {
    const start = position
    const runEnd = endOf(URL_RUN, value, start)
    let end = runEnd
    while (value[end - 1] === ',') end--
    position = end === runEnd ? endOf(DESCRIPTORS, value, runEnd) : runEnd
    const descriptor = value
      .slice(runEnd, position)
      .split(/[\t\n\f\r ]+/)
      .filter(Boolean)
      .join(' ')
    candidates.push({ url: value.slice(start, end), start, end, descriptor })
    position = endOf(BETWEEN_CANDIDATES, value, position)
  }
  return candidates
}

/** Returns the URL in a form that a `srcset` can hold: white space, and commas at its ends, percent-encoded. */
export function encodeSrcsetUrl(url: string): string {
  return url.replace(/[\t\n\f\r ]|^,|,$/g, percentEncode)
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}
