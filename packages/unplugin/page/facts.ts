import { explainScore, bytesText, typeLabel } from '@pixpress/face'
import type { ShownImage } from '../src/inspector/answer.ts'

/** Lists what is known of a result, by name; nothing before the image was made. */
export function resultFacts({ made, wouldBe }: Pick<ShownImage, 'made' | 'wouldBe'>): [name: string, value: string][] {
  if (made === undefined) return []
  const { source, score, why, notes } = made
  return [
    ['source', `${typeLabel(source.type)}, ${source.width} × ${source.height}, ${bytesText(source.size)}`],
    ['result', `${typeLabel(made.type)}, ${made.width} × ${made.height}, ${bytesText(made.size)}`],
    ...known('score', score === undefined ? undefined : explainScore(score)),
    ...known('why', why),
    ...known("convert: 'auto'", wouldBe),
    ...notes.filter((note) => note !== why).flatMap((note) => known('note', note)),
  ]
}

const known = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]]
