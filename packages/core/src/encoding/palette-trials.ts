import type { Refusal } from '../quality/guards/index.ts'
import type { Indexed } from '../quality/guards/snap.ts'
import type { Effort } from '../base/types.ts'
import { encodeIndexedPng } from './indexed-png.ts'
import type { Picture } from './picture.ts'
import type { Mapping, Quantiser } from './quantiser.ts'
import type { EncodeRequest, Scorer } from './request.ts'
import { kindOfPalette } from './result-kind.ts'
import { TrialScores } from './trial-scores.ts'
import { countProbe, timePhase } from '../base/counters.ts'

export type PaletteRequest = Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'mostBytes' | 'refuse'>

/** The most scores of one picture. Small pictures may take more, as they take little time and each colour counts. */
export const MOST_SCORES: Readonly<Record<Effort, number>> = { fast: 3, default: 6, max: 10 }
export const MOST_SCORES_OF_SMALL = 10
const SMALL_PICTURE = 100_000

/** What a search is told of a palette that no promise allows. */
const LOWEST_RATING = 1

/** One palette and mapping, and how it did. */
export interface Trial {
  readonly colours: number
  readonly mapping: Mapping
  /** About, by a sample of the rows, unless `isWhole`. */
  readonly score: number
  /** The highest promise that it keeps: its score, or less by the guards. */
  readonly rated: number
  readonly isWhole: boolean
}

/** A trial that keeps the promise. */
export interface Passing extends Trial, Indexed {
  /** What compares two palettes. */
  draft(): Uint8Array
}

/** What has been tried of a picture. What came of it does not depend on the promise. */
export class Tried {
  readonly quantiser: Quantiser
  /** What a guard refuses and what lacks least. */
  refused: (Omit<Passing, keyof Trial> & { readonly refusal: Refusal }) | undefined
  readonly #trials = new Map<string, Trial | Passing>()
  readonly #scores: TrialScores

  /** Palettes that were scored. */
  get count(): number {
    return this.#trials.size
  }

  constructor(quantiser: Quantiser, scorer: Scorer) {
    this.quantiser = quantiser
    this.#scores = new TrialScores(scorer)
  }

  /** The scores of a palette; one that keeps the promise has its pixels, too. */
  try({ picture, scorer, target }: PaletteRequest, colours: number, mapping: Mapping): Trial | Passing {
    const key = keyOf({ colours, mapping })
    const known = this.#trials.get(key)
    if (known !== undefined) return known
    const { indices, palette, pixels } = timePhase('quantise', () => this.quantiser.map(colours, mapping))
    countProbe()
    const { score, isWhole } = this.#scores.about(pixels)
    // Guards take as long as a score, and what fails by its score need not pass them.
    const kind = kindOfPalette(palette.length / 4, picture)
    const { kept, refusal } = score < target ? { kept: score } : scorer.judgePixels(pixels, kind, score, target)
    const trial = { colours, mapping, score, rated: Math.max(LOWEST_RATING, kept), isWhole }
    const isPassing = trial.rated >= target
    if (!isPassing && refusal !== undefined && refusal.share < (this.refused?.refusal.share ?? Infinity)) {
      this.refused = { refusal, ...passing({ indices: indices.slice(), palette }, picture) }
    }
    const made = isPassing ? { ...trial, ...passing({ indices: indices.slice(), palette }, picture) } : trial
    this.#trials.set(key, made)
    return made
  }

  /** A palette that a search ends with, scored as a whole; `undefined` where that misses the promise, and then later trials know. */
  confirm(found: Passing, { target }: PaletteRequest): Passing | undefined {
    if (found.isWhole) return found
    const score = this.#scores.whole(this.quantiser.paint(found))
    const { colours, mapping } = found
    const trial = { ...found, score, rated: Math.min(found.rated, score), isWhole: true }
    if (score < target) this.#scores.sampleNoMore()
    this.#trials.set(keyOf(found), score < target ? { colours, mapping, score, rated: score, isWhole: true } : trial)
    return score < target ? undefined : trial
  }
}

const keyOf = ({ colours, mapping }: Pick<Trial, 'colours' | 'mapping'>): string =>
  `${colours} ${mapping.dither ?? 0} ${mapping.tolerance ?? 0}`

function passing(kept: Indexed, picture: Picture): Omit<Passing, keyof Trial> {
  let png: Uint8Array | undefined
  return { ...kept, draft: () => (png ??= encodeIndexedPng(kept, picture, 'draft')) }
}

/** The trials for one promise, and how many more there may be. */
export class Trials {
  readonly request: PaletteRequest
  readonly quantiser: Quantiser
  /** What the search has settled on so far. */
  best: Passing | undefined
  left: number
  /** Whether a guard has refused what has the score. */
  isGuarded = false
  /** The fewest colours that pass, as a multiple of the most that fail. */
  gap = 1
  readonly #tried: Tried

  constructor(request: PaletteRequest, tried: Tried) {
    const { picture, effort } = request
    const isSmall = picture.width * picture.height <= SMALL_PICTURE && effort !== 'fast'
    this.request = request
    this.quantiser = tried.quantiser
    this.left = isSmall ? MOST_SCORES_OF_SMALL : MOST_SCORES[effort]
    this.#tried = tried
  }

  try(colours: number, mapping: Mapping): Trial | Passing {
    this.left--
    const trial = this.#tried.try(this.request, colours, mapping)
    const { target } = this.request
    this.isGuarded ||= trial.score >= target && trial.rated < target
    return trial
  }

  hasPassed(trial: Trial): trial is Passing {
    return 'draft' in trial && trial.rated >= this.request.target
  }
}
