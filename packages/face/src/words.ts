/** Names that are no upper-case extensions. */
const LABELS: Readonly<Record<string, string>> = { jpg: 'JPEG', jxl: 'JPEG XL', webp: 'WebP', 'svg+xml': 'SVG' }

/** Returns the name of a type for people, given as MIME type or as extension: `AVIF`. */
export function typeLabel(type: string): string {
  const short = type.replace(/^image\//, '')
  return LABELS[short] ?? short.toUpperCase()
}

/** The meanings of scores, from the highest on. */
const MEANINGS = [
  [90, 'It cannot be told from the source, even where the two flicker.'],
  [80, 'It looks the same side by side.'],
  [70, 'A difference shows to those who look for it.'],
  [0, 'Up close, a difference shows.'],
] as const

/** Writes a score; one of 100 means that no pixel has changed. */
export const scoreText = (score: number): string => (score >= 100 ? 'exact' : score.toFixed(1))

/** Says in a sentence what a score means, without its figure. */
export function meaningOfScore(score: number): string {
  if (score >= 100) return 'Every pixel is as it was.'
  const [, meaning] = MEANINGS.find(([least]) => score >= least) ?? MEANINGS.at(-1)!
  return meaning
}

/** Says in a sentence what a score means. */
export const explainScore = (score: number): string =>
  score >= 100 ? meaningOfScore(score) : `${score.toFixed(1)} of 100 (SSIMULACRA2). ${meaningOfScore(score)}`
