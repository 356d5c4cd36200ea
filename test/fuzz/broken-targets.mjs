const corpus = ['test/fuzz/corpus', /\.query$/]
let cases = 0

/** Readers that fail at their second case, each in its own way. */
const second = (fail) => ({ corpus, cases: 3, work: async () => (++cases === 2 ? fail() : undefined) })
const held = []

export const TARGETS = {
  crashes: second(() => process.abort()),
  throws: second(() => {
    throw new TypeError("of the reader's own")
  }),
  swallows: second(() => {
    for (let at = 0; at < 14; at++) held.push(Buffer.alloc(100_000_000, 1))
  }),
  hangs: second(() => {
    for (;;) cases = 2
  }),
}
