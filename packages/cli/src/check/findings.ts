import { createHash } from 'node:crypto'
import { compare } from '@pixpress/core/report'

/** Findings of `pixpress check`, in the order in which those of one image are told. */
export const RULES = {
  broken: {
    title: 'Broken image',
    description: 'The file is no image that can be decoded: pages show nothing, or a part of it.',
    severity: 'critical',
  },
  'could-shrink': {
    title: 'Image could be smaller',
    description: "The image takes more bytes than it needs to look the same: run 'pixpress compress' on it.",
    severity: 'minor',
  },
  'image-budget': {
    title: 'Image over its budget',
    description: 'The image has more bytes than the budgets of the configuration allow for one image.',
    severity: 'major',
  },
  'total-budget': {
    title: 'Images over their budget',
    description: 'Some images together have more bytes than the budgets of the configuration allow.',
    severity: 'major',
  },
  'growth-budget': {
    title: 'Images grew over their budget',
    description: 'Some images together grew by more bytes than the budgets of the configuration allow.',
    severity: 'major',
  },
  'page-budget': {
    title: 'Page over its budget',
    description: 'The images that the page delivers have more bytes than the budgets of the configuration allow.',
    severity: 'major',
  },
  'not-locked': {
    title: 'Image missing in the lock',
    description: 'pixpress.lock says nothing of the image as it is now: build, and commit the file.',
    severity: 'major',
  },
  'lock-differs': {
    title: 'Result differs from the lock',
    description: 'The cache holds another result of the image than the one that pixpress.lock says it has.',
    severity: 'major',
  },
} as const

/** Name of a rule. */
export type RuleName = keyof typeof RULES

/** Names of all rules, in the order of the table. */
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[]

/** One thing that is not as it should be. */
export interface Finding {
  readonly rule: RuleName
  /** The image or page, relative to the root with forward slashes; of several images, the one that counts most. */
  readonly source: string
  /** The budget's name; absent for findings of no budget. */
  readonly budget?: string
  /** One plain sentence about the fault and its remedy, without the file's name. */
  readonly message: string
  /** Bytes as they are: of the image, or of all images of the budget. */
  readonly bytes: number
  /** Bytes that the budget allows. */
  readonly limit?: number
  /** Bytes that the image would have, compressed at its promise, where that is known. */
  readonly possible?: number
}

const rank = (rule: RuleName): number => RULE_NAMES.indexOf(rule)

/** Sorts findings by file, then rule, then budget, so that every run has the same order. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => compare(a.source, b.source) || rank(a.rule) - rank(b.rule) || compare(a.budget ?? '', b.budget ?? ''),
  )
}

/**
 * Returns 64 hexadecimal digits that identify a finding, and stay the same in the next run whatever the bytes are then.
 */
export function fingerprintOf({ rule, source, budget = '' }: Finding, occurrence: number): string {
  return createHash('sha256')
    .update(JSON.stringify([rule, source, budget, occurrence]))
    .digest('hex')
}

/** Every finding with its fingerprint; two budgets of the same name count up. */
export function withFingerprints(findings: readonly Finding[]): { finding: Finding; fingerprint: string }[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const first = fingerprintOf(finding, 0)
    const occurrence = seen.get(first) ?? 0
    seen.set(first, occurrence + 1)
    return { finding, fingerprint: occurrence === 0 ? first : fingerprintOf(finding, occurrence) }
  })
}
