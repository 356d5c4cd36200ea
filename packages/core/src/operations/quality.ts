import type { Operation } from './row.ts'
import { invalidOption } from '../base/errors.ts'
import type { Flags } from '../options/flags.ts'
import { code, listed, suggestion } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { QUALITY_LEVELS } from '../base/values.ts'
import type { QualityTarget } from '../base/values.ts'

const LEVELS = Object.keys(QUALITY_LEVELS)

/** Gives the score to aim at. */
const QUALITY: Parser<number> = {
  schema: { anyOf: [{ enum: LEVELS }, { type: 'number', minimum: 1, maximum: 100 }] },
  parse(value, option) {
    if (typeof value === 'string' && Object.hasOwn(QUALITY_LEVELS, value)) {
      return QUALITY_LEVELS[value as keyof typeof QUALITY_LEVELS]
    }
    if (typeof value === 'number' && value >= 1 && value <= 100) return value
    throw invalidOption(option, `${listed(LEVELS)}, or a score from 1 to 100`, value, suggestion(value, LEVELS))
  },
}

const QUALITY_FLAGS: Flags = {
  quality: {
    value: 'LEVEL',
    short: 'q',
    description: `${code(LEVELS)}, or an SSIMULACRA2 score from 1 to 100 (default \`high\`)`,
    choices: LEVELS,
  },
}

/** Parses a level or a score as it stands in a query. @throws PixpressError `INVALID_OPTION` */
function qualityFromQuery(text: string, option: string): QualityTarget {
  const score = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (score >= 1 && score <= 100) return score
  QUALITY.parse(text, option)
  return text as QualityTarget
}

/** Reads a level or a score as it stands behind a flag, not checked. */
function qualityFromFlag(text: string): QualityTarget {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (text as QualityTarget)
}

interface QualityOperation {
  /** `high` (default), `balanced`, `small`, or the SSIMULACRA2 score to aim at, from 1 to 100. */
  quality?: QualityTarget
}

interface ResolvedQuality {
  /** The SSIMULACRA2 score to aim at. */
  readonly score: number
}

interface QualityDirective {
  quality: QualityTarget
}

/** Sets the look that a result keeps. */
export const quality: Operation<QualityOperation, number, ResolvedQuality, QualityDirective> = {
  place: 5,
  parser: QUALITY,
  resolved: (score = QUALITY_LEVELS.high) => ({ score }),
  shownDefault: "`'high'`",
  doc: "the look to keep: `'high'` (80), `'balanced'` (70), `'small'` (60), or an [SSIMULACRA2](https://github.com/cloudinary/ssimulacra2) score from 1 to 100. About 90 cannot be told from the original, 50 is medium",
  flags: QUALITY_FLAGS,
  fromFlags: ({ quality: text }) => (text === undefined ? undefined : qualityFromFlag(text)),
  directive: {
    word: 'quality',
    doc: `${code(LEVELS)}, or a score from 1 to 100`,
    alternatives: true,
    read: qualityFromQuery,
  },
}
