/** The way in which a step is taken: a line of the options, a flag to leave out, a command, or work of a person. */
type Reader = 'options' | 'without' | 'command' | 'person'

/** Names of the steps that can save more. */
export type Step = 'convert-auto' | 'effort-max' | 'no-dry-run' | 'no-min-saving' | 'compress' | 'one-of-same'

/**
 * The steps that can save more. `setting` is the text to paste or to leave out. A test reads each with the parser of
 * its kind, so that no report names an invalid one.
 */
export const STEPS: Readonly<Record<Step, { readonly reader: Reader; readonly setting: string }>> = {
  'convert-auto': { reader: 'options', setting: "convert: 'auto'" },
  'effort-max': { reader: 'options', setting: "effort: 'max'" },
  'no-dry-run': { reader: 'without', setting: '--dry-run' },
  'no-min-saving': { reader: 'without', setting: '--min-saving' },
  compress: { reader: 'command', setting: 'npx pixpress compress' },
  'one-of-same': { reader: 'person', setting: 'one file in place of several with the same bytes' },
}

/** A step and its saving, computed from results that exist rather than estimated. */
export interface Worth {
  readonly step: Step
  /** The text to paste: `convert: 'auto'`. If the step is to leave out a flag, that flag. */
  readonly setting: string
  /** Bytes that the step saves in the images that were computed. */
  readonly saves: number
  /** Number of images that were computed, and number of images that the step applies to. */
  readonly images: number
  readonly of: number
}

/** A step that saves fewer bytes is not worth a line. */
const LEAST = 1000

/** Returns the step that saves most; `undefined` if none saves enough to be worth a line. */
export function worthMost(steps: readonly (Worth | undefined)[]): Worth | undefined {
  let most: Worth | undefined
  for (const each of steps)
    if (each !== undefined && each.saves >= LEAST && each.saves > (most?.saves ?? 0)) most = each
  return most
}

/**
 * Creates the entry of a step from its saving in bytes and the number of images.
 * @param of number of images that the step applies to; default: `images`
 */
export const worthOf = (step: Step, saves: number, images: number, of: number = images): Worth => ({
  step,
  setting: STEPS[step].setting,
  saves,
  images,
  of,
})
