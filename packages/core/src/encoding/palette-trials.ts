import type { Place, Refusal } from '../quality/guards/index.ts'
import type { Indexed } from '../quality/guards/snap.ts'
import type { Effort } from '../base/types.ts'
import { encodeIndexedPng } from './indexed-png.ts'
import type { Picture } from './picture.ts'
import type { Mapping, Quantised, Quantiser } from './quantiser.ts'
import type { EncodeRequest, Scorer, Verdict } from './request.ts'
import { kindOfPalette } from './result-kind.ts'
import { TrialScores } from './trial-scores.ts'
import { countProbe, timePhase } from '../base/counters.ts'

/** The parts of an encoder's request that a palette search reads. */
export type PaletteRequest = Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'mostBytes' | 'refuse'>

/** Maximum number of scores for one picture. */
export const MOST_SCORES: Readonly<Record<Effort, number>> = { fast: 3, default: 6, max: 10 }
/** Maximum number of scores for a small picture: they take little time, and each colour saves a larger share. */
export const MOST_SCORES_OF_SMALL = 10
const SMALL_PICTURE = 100_000

/** The rating of a palette that keeps no promise at all. */
const LOWEST_RATING = 1

/** One palette and mapping, with its scores. */
export interface Trial {
  readonly colours: number
  readonly mapping: Mapping
  /** An estimate from a sample of the rows, unless `isWhole`. */
  readonly score: number
  /** The score that the search follows: that at twice the size of a small picture, if it is lower. */
  readonly seen: number
  /** The highest promise that the palette keeps: `seen`, or less if a guard limits it. */
  readonly rated: number
  readonly isWhole: boolean
  /** The damage for which a guard refuses the palette. */
  readonly refusal?: Refusal | undefined
  /** How often the palettes had been trained again before. */
  readonly trainings: number
}

/** A trial that reaches the score, but which a guard refuses. */
export type RefusedTrial = Trial & { readonly refusal: Refusal }

/** A trial that keeps the promise. */
export interface Passing extends Trial, Indexed {
  /** Returns a quick PNG, whose size is compared between palettes. */
  draft(): Uint8Array
}

/** All trials of one picture. Their scores do not depend on the promise. */
export class Tried {
  readonly quantiser: Quantiser
  /** The palette that a guard refused and that exceeds the guard's limit least. */
  refused: (Omit<Passing, keyof Trial> & { readonly refusal: Refusal }) | undefined
  readonly #trials = new Map<string, Trial | Passing>()
  readonly #scores: TrialScores
  #trainings = 0
  /** The palette that the quantiser holds. */
  #held: { readonly key: string; readonly quantised: Quantised } | undefined

  /** How often the palettes were trained again, with more weight on a place. */
  get trainings(): number {
    return this.#trainings
  }

  /** Number of palettes that were scored. */
  get count(): number {
    return this.#trials.size
  }

  constructor(quantiser: Quantiser, scorer: Scorer) {
    this.quantiser = quantiser
    this.#scores = new TrialScores(scorer)
  }

  /** Scores a palette, once for equal colours and mapping. The result includes its pixels if it keeps the promise. */
  try({ picture, scorer, target }: PaletteRequest, colours: number, mapping: Mapping): Trial | Passing {
    const trainings = this.#trainings
    const key = keyOf({ colours, mapping, trainings })
    const known = this.#trials.get(key)
    if (known !== undefined) return known
    const { indices, palette, pixels } = this.#map(colours, mapping)
    countProbe()
    const { score, isWhole } = this.#scores.about(pixels)
    // Guards take as long as a score, so a palette that misses the score is not judged.
    const kind = kindOfPalette(palette.length / 4, picture)
    const verdict: Verdict = score < target ? { kept: score, score } : scorer.judgePixels(pixels, kind, score, target)
    const { kept, twice = Infinity, refusal } = verdict
    const rated = Math.max(LOWEST_RATING, kept)
    const trial = { colours, mapping, score, seen: Math.min(score, twice), rated, isWhole, refusal, trainings }
    const isPassing = trial.rated >= target
    if (!isPassing && refusal !== undefined && refusal.share < (this.refused?.refusal.share ?? Infinity)) {
      this.refused = { refusal, ...passing({ indices: indices.slice(), palette }, picture) }
    }
    const made = isPassing ? { ...trial, ...passing({ indices: indices.slice(), palette }, picture) } : trial
    this.#trials.set(key, made)
    return made
  }

  /** Returns the bytes of a quick PNG of a palette that is not scored. */
  draftBytes(picture: Picture, colours: number, mapping: Mapping): number {
    const known = this.#trials.get(keyOf({ colours, mapping, trainings: this.#trainings }))
    if (known !== undefined && 'draft' in known) return known.draft().length
    return encodeIndexedPng(this.#map(colours, mapping), picture, 'draft').length
  }

  /** Returns the palette of the most colours, below a number of them, that only a guard refuses. */
  refusedBelow(colours: number, target: number): RefusedTrial | undefined {
    let found: RefusedTrial | undefined
    for (const trial of this.#trials.values()) {
      const { refusal, mapping } = trial
      const isRefused = refusal !== undefined && trial.seen >= target && trial.rated < target
      if (!isRefused || mapping.dither !== undefined || mapping.tolerance !== undefined) continue
      if (trial.colours < colours && trial.colours > (found?.colours ?? 0)) found = { ...trial, refusal }
    }
    return found
  }

  /** Trains the palettes again, with more weight on the colours of a place. Later trials take them from there. */
  emphasise(place: Place): void {
    this.#trainings++
    timePhase('quantise', () => this.quantiser.emphasise(place))
  }

  #map(colours: number, mapping: Mapping): Quantised {
    const key = keyOf({ colours, mapping, trainings: this.#trainings })
    if (this.#held?.key !== key) {
      this.#held = { key, quantised: timePhase('quantise', () => this.quantiser.map(colours, mapping)) }
    }
    return this.#held.quantised
  }

  /**
   * Scores the palette that a search ends with by all rows. If it misses the promise, the result is `undefined` and
   * later trials remember the score.
   */
  confirm(found: Passing, { target }: PaletteRequest): Passing | undefined {
    if (found.isWhole) return found
    this.#held = undefined
    const score = this.#scores.whole(this.quantiser.paint(found))
    const { colours, mapping, trainings } = found
    const seen = Math.min(found.seen, score)
    const trial = { ...found, score, seen, rated: Math.min(found.rated, score), isWhole: true }
    if (score < target) this.#scores.sampleNoMore()
    const missed = { colours, mapping, score, seen, rated: score, isWhole: true, trainings }
    this.#trials.set(keyOf(found), score < target ? missed : trial)
    return score < target ? undefined : trial
  }
}

const keyOf = ({ colours, mapping, trainings }: Pick<Trial, 'colours' | 'mapping' | 'trainings'>): string =>
  `${trainings} ${colours} ${mapping.dither ?? 0} ${mapping.tolerance ?? 0}`

function passing(kept: Indexed, picture: Picture): Omit<Passing, keyof Trial> {
  let png: Uint8Array | undefined
  return { ...kept, draft: () => (png ??= encodeIndexedPng(kept, picture, 'draft')) }
}

/** The trials for one promise and the number that is left. */
export class Trials {
  readonly request: PaletteRequest
  readonly quantiser: Quantiser
  /** The best palette so far. */
  best: Passing | undefined
  left: number
  /** `true` if a guard has refused a palette that reaches the score. */
  isGuarded = false
  /** The fewest colours that pass, as a multiple of the most colours that fail. */
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
    this.isGuarded ||= trial.seen >= target && trial.rated < target
    return trial
  }

  /** Returns the bytes of a quick PNG of a palette, which takes no score. */
  draftBytes(colours: number, mapping: Mapping): number {
    return this.#tried.draftBytes(this.request.picture, colours, mapping)
  }

  hasPassed(trial: Trial): trial is Passing {
    return 'draft' in trial && trial.rated >= this.request.target
  }
}
