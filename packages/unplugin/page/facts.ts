import type { ShownImage } from '../src/inspector/answer.ts'

/** Lists what is known of a result, by name; nothing before the image was made. */
export function resultFacts({ made, wouldBe }: Pick<ShownImage, 'made' | 'wouldBe'>): [name: string, value: string][] {
  if (made === undefined) return []
  const { source, score, why, notes } = made
  const change = Math.round((made.size / source.size - 1) * 100)
  return [
    ['source', `${source.type}, ${source.width} × ${source.height}, ${inBytes(source.size)}`],
    ['result', `${made.type}, ${made.width} × ${made.height}, ${inBytes(made.size)} (${change} %)`],
    ...known('score', score === undefined ? undefined : `${score.toFixed(2)} of 100 (SSIMULACRA2)`),
    ...known('why', why),
    ...known("convert: 'auto'", wouldBe),
    ...notes.filter((note) => note !== why).flatMap((note) => known('note', note)),
  ]
}

const known = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]]

/** Writes a number of bytes with a unit. */
export const inBytes = (count: number): string =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`
