/** How a step is taken: a line of the options, a flag that is left out, a command, or work of a person. */
type Reader = 'options' | 'without' | 'command' | 'person'

export type Step = 'convert-auto' | 'effort-max' | 'no-dry-run' | 'no-min-saving' | 'compress' | 'one-of-same'

/** The steps that can be worth most. `setting` is what is pasted or left out, and is read by the parser of its kind before it is named. */
export const STEPS: Readonly<Record<Step, { readonly reader: Reader; readonly setting: string }>> = {
  'convert-auto': { reader: 'options', setting: "convert: 'auto'" },
  'effort-max': { reader: 'options', setting: "effort: 'max'" },
  'no-dry-run': { reader: 'without', setting: '--dry-run' },
  'no-min-saving': { reader: 'without', setting: '--min-saving' },
  compress: { reader: 'command', setting: 'npx pixpress compress' },
  'one-of-same': { reader: 'person', setting: 'one file in place of several with the same bytes' },
}

/** A step, and what it saves: computed from results that are there, never estimated. */
export interface Worth {
  readonly step: Step
  /** As it is pasted: `convert: 'auto'`. Of flags, the one to leave out. */
  readonly setting: string
  /** Bytes that it saves in the images that were computed. */
  readonly saves: number
  /** Images that were computed, of those that the step is for. */
  readonly images: number
  readonly of: number
  /** Whether it may save more in them, as not all that the step makes of them is known; absent where all is. */
  readonly atLeast?: true
}

/** Bytes below which nobody takes a step. */
const LEAST = 1000

/** The one that saves most; `undefined` where none saves anything worth a line. */
export function worthMost(steps: readonly (Worth | undefined)[]): Worth | undefined {
  let most: Worth | undefined
  for (const each of steps)
    if (each !== undefined && each.saves >= LEAST && each.saves > (most?.saves ?? 0)) most = each
  return most
}

/** A step of the table, for so many images of those that it is for. */
export const worthOf = (step: Step, saves: number, images: number, of: number = images): Worth => ({
  step,
  setting: STEPS[step].setting,
  saves,
  images,
  of,
})
