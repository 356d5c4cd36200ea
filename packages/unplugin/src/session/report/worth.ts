import { readFile } from 'node:fs/promises'
import { factsOf } from '@pixpress/core/internal'
import { STEPS, worthMost, worthOf } from '@pixpress/core/report'
import type { Otherwise, ReportImage, Step, Worth } from '@pixpress/core/report'
import type { InputType, Operations, OptimizeResult, Optimizer, Plan } from '@pixpress/core'
import type { ResolvedOptions } from '../options/options.ts'
import { relativePath } from '../../base/paths.ts'
import { createTriedImages } from './tried-images.ts'
import { createConverted, createThorough, readSetting } from './wanted.ts'
import type { Try, WantedOf, WantedParts } from './wanted.ts'

/** Describes what else there is, as far as it is known. */
export interface Known {
  /** The step that would save most; `undefined` where none is known. */
  readonly worth: Worth | undefined
  /** Holds what images would be with `convert: 'auto'`, by identity, of those that it makes smaller. */
  readonly others: ReadonlyMap<string, Otherwise>
}

/**
 * Finds the step that would save most in a build, from results that are there.
 * @param images of the report, by identity
 * @param mayTry whether a little may be encoded for it; else nothing but `others` is looked for. Default: `true`
 */
export type FindWorth = (images: ReadonlyMap<string, ReportImage>, mayTry?: boolean) => Promise<Known>

interface WorthParts extends Omit<WantedParts, 'root'> {
  readonly options: ResolvedOptions
  readonly optimizer: Optimizer
}

/** The heaviest images are looked at, as looking one up takes two reads of the disk. */
const MOST_IMAGES = 32

/** Images that nothing is known of, after which nobody looks for more: most projects have never tried. */
const MOST_UNKNOWN = 3

/** Share of a build's work that may go into trying what else there is. */
const TRIAL_SHARE = 0.02

/** Gives a result, or does without it. */
type Take = (plan: Plan, request: Try) => Promise<OptimizeResult | undefined>

/** Describes what a step makes of an image. */
interface Measured {
  /** Bytes. */
  readonly saves: number
  /** The smallest, where it is smaller than what is delivered. */
  readonly best: Otherwise | undefined
}

const NOTHING: Known = { worth: undefined, others: new Map() }

/**
 * Makes the finder of a session.
 */
export function createWorthFinder({ options, optimizer, ...parts }: WorthParts): FindWorth {
  const { operations, overrides, isAuto, persistent, cache, remote, root } = options
  const usesConvert = isAuto || [operations, ...overrides.map((each) => each.operations)].some(hasConvert)
  const tried = createTriedImages(options.workDir)
  // A folder that somebody has named may be committed, where nobody wants results that no build uses.
  const mayEncode = persistent && cache.mode === 'readwrite' && options.cacheDir !== options.workDir
  const converted = createConverted({ root, ...parts })
  const thorough = createThorough({ root, ...parts })

  /** All that is wanted and there, in order; nothing of a source that is gone, or cannot be what the step asks for. */
  async function madeOf(file: string, tries: readonly Try[], take: Take): Promise<readonly Otherwise[]> {
    try {
      const source = await readFile(file)
      const made: Otherwise[] = []
      for (const each of tries) {
        const result = await take(optimizer.plan(source, each.operations, { file: relativePath(root, file) }), each)
        if (result !== undefined) made.push({ type: result.info.type, bytes: result.info.size })
      }
      return made
    } catch {
      return []
    }
  }

  /**
   * Gives what a step saves in the images whose results the cache has.
   * @param images the heaviest first
   * @param budget milliseconds of work that may be done for it besides
   */
  async function measured(
    images: readonly (readonly [id: string, image: ReportImage])[],
    wantedOf: WantedOf,
    budget: number,
  ): Promise<{ readonly known: ReadonlyMap<string, Measured>; readonly of: number }> {
    const before = await tried.read()
    const own = images.flatMap(([id, image]) => {
      const wanted = wantedOf(id, image)
      return wanted === undefined ? [] : [{ id, image, wanted }]
    })
    const likely = own.toSorted((a, b) => Number(before.has(b.id)) - Number(before.has(a.id)))
    const known = new Map<string, Measured>()
    const look = async ({ id, image, wanted }: (typeof own)[number], take: Take): Promise<void> => {
      const tries = wanted.tries()
      const made = await madeOf(wanted.file, tries, take)
      if (made.length === 0) return
      const least = made.reduce((a, b) => (b.bytes < a.bytes ? b : a))
      const best = least.bytes < image.after ? least : undefined
      known.set(id, { saves: Math.max(0, image.after - least.bytes), best })
    }
    let unknown = 0
    for (const each of likely.slice(0, MOST_IMAGES)) {
      await look(each, (plan) => optimizer.recall(plan))
      if (!known.has(each.id) && ++unknown > MOST_UNKNOWN) break
    }
    let left = budget
    const now: string[] = []
    // A build that found everything has no time for it.
    for (const each of budget > 0 ? own : []) {
      // An image of the cache was offered before, wherever that was; for others it has to be certain that they would
      // be.
      if (known.has(each.id) || !each.wanted.mayTry) continue
      if (each.wanted.tries().every(({ types }) => costOf(each.image, types) > left)) continue
      await look(each, async (plan, { types }) => {
        const cost = costOf(each.image, types)
        if (cost > left) return undefined
        left -= cost
        return optimizer.materialize(plan)
      })
      now.push(each.id)
    }
    await tried.add(now)
    return { known, of: own.length }
  }

  return async (images, mayTry = true) => {
    // A cache of others would be asked over the network, and a service paid, for what nobody asked.
    if (!persistent || remote !== undefined || cache.remote !== undefined || usesConvert) return NOTHING
    const ordered = [...images].sort(([, a], [, b]) => b.after - a.after)
    const spent = ordered.reduce((sum, [, { work }]) => sum + (work?.milliseconds.total ?? 0), 0)
    const budget = mayEncode && mayTry ? spent * TRIAL_SHARE : 0
    const offered = isTaken('convert-auto', root) ? await measured(ordered, converted, budget) : undefined
    const worked = mayTry && isTaken('effort-max', root) ? await measured(ordered, thorough, 0) : undefined
    const others = new Map(
      [...(offered?.known ?? [])].flatMap(([id, { best }]) => (best === undefined ? [] : [[id, best] as const])),
    )
    return { worth: worthMost([summed('convert-auto', offered), summed('effort-max', worked)]), others }
  }
}

/** A step, and what it saves in all images that are known. */
function summed(
  step: Step,
  measured: { readonly known: ReadonlyMap<string, Measured>; readonly of: number } | undefined,
): Worth | undefined {
  if (measured === undefined || measured.known.size === 0) return undefined
  const all = [...measured.known.values()]
  const saves = all.reduce((sum, each) => sum + each.saves, 0)
  return worthOf(step, saves, all.length, measured.of)
}

/** Gives about the milliseconds that trying an image in other types takes; `Infinity` where that is not known. */
function costOf({ work, inputType }: ReportImage, types: readonly InputType[]): number {
  const own = secondsOf(inputType)
  if (work === undefined || own === undefined) return Infinity
  return types.reduce((sum, type) => sum + (work.milliseconds.total * (secondsOf(type) ?? Infinity)) / own, 0)
}

const secondsOf = (type: InputType): number | undefined => factsOf(type).effort?.seconds

const hasConvert = ({ convert }: Operations): boolean => convert !== undefined

/** Tells whether the options take the line that names a step: only then is it measured. */
function isTaken(step: Step, root: string): boolean {
  try {
    readSetting(STEPS[step].setting, root)
    return true
  } catch {
    return false
  }
}
