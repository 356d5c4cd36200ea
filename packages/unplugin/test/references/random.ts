/** Numbers in [0, 1) that are the same at each run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FRAGMENTS = [
  '"',
  "'",
  '(',
  ')',
  '\\',
  '<',
  '>',
  '/*',
  '*/',
  '//',
  '{',
  '}',
  '`',
  '&',
  ';',
  ',',
  '\0',
  '\r',
  '\uD83D',
  '<!--',
  '${',
  '#{',
]

/** Copies of a text, each with a few stretches cut out, doubled, or replaced by characters that have a meaning. */
export function* mutations(text: string, count: number, seed: number): Generator<string, void, undefined> {
  const random = seededRandom(seed)
  for (let made = 0; made < count; made++) {
    let mutated = text
    for (let edits = 1 + Math.floor(random() * 4); edits > 0; edits--) {
      const start = Math.floor(random() * mutated.length)
      const end = Math.min(mutated.length, start + Math.floor(random() * 30))
      const kind = random()
      const fragment = FRAGMENTS[Math.floor(random() * FRAGMENTS.length)]!
      const inserted = kind < 0.3 ? '' : kind < 0.5 ? mutated.slice(start, end).repeat(2) : fragment
      mutated = mutated.slice(0, start) + inserted + mutated.slice(kind < 0.8 ? end : start)
    }
    yield mutated
  }
}

/** URLs with the characters that places escape, none of which is a placeholder of a template engine or external. */
export const AWKWARD_URLS: readonly string[] = [
  'b.png',
  'a"b.png',
  "it's.png",
  'a (1).png',
  'a)b(.png',
  'a&b.png?x=1&copy=2&lt;',
  '</style></script><b.png',
  'a;b{c}.png',
  'a\\b.png',
  'a`b$.png',
  'ü/漢字/😀.png',
  'a,b.png',
  'a=b>c.png?d#e',
  '100%.png',
]
