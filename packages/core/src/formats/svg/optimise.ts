import { optimize } from 'svgo/browser'
import type { Config } from 'svgo'
import { PixpressError, firstLine, isCodeError } from '../../base/errors.ts'
import type { Rewritten } from '../../encoding/codec.ts'
import { readFeatures } from './features.ts'
import type { Features } from './features.ts'
import { looksSame, render, renderableSize } from './render.ts'
import type { Rendering, View } from './render.ts'
import { configFor, lossOfMeaning, mayMerge, mergingConfig, rewritingsOf } from './tiers.ts'
import type { PathRange, Rewriting } from './tiers.ts'
import type { ResolvedOperations } from '../../operations/index.ts'

/** The caller's plugins are one way alone, and none of ours. */
const OWN_PLUGINS: Rewriting = { tier: 'markup', decimals: 0 }

/**
 * Runs svgo with the plugins that keep the meaning of this document, and takes a result only if it looks like its
 * source; otherwise the next safer set of plugins is tried. A document that librsvg cannot render gets the safest set.
 * @throws PixpressError `DECODE_FAILED`, or `INVALID_OPTION` where svgo fails with the caller's own configuration
 */
export async function optimizeSvg(
  source: Uint8Array,
  { svgo: own, keepElements }: ResolvedOperations,
): Promise<Rewritten> {
  const text = decoded(source)
  const features = featuresOf(text)
  const loss = lossOfMeaning(features)
  // svgo's parser itself drops spaces, which no choice of plugins changes. Other losses are the caller's own decision.
  if (loss !== undefined && (features.foreign || own?.plugins === undefined)) return { notes: [loss] }
  const size = renderableSize(text, features)
  const before = size && (await render(text, size))
  const rewritings = own?.plugins === undefined ? rewritingsOf(features, keepElements !== true) : [[OWN_PLUGINS]]
  const resultOf = (rewriting: Rewriting): string =>
    rewritten(text, configFor(rewriting, features, source.length, own), own !== undefined)
  if (size === undefined || before === undefined) {
    return {
      data: Buffer.from(resultOf(rewritings.at(-1)![0]!)),
      notes:
        own?.plugins === undefined ? [] : ["The plugins of the option 'svgo' were used without comparing the look."],
    }
  }
  const views = new Map<View, Rendering | undefined>([[1, before]])
  const looksLikeSource = async (result: string, view: View): Promise<boolean> => {
    if (!views.has(view)) views.set(view, await render(text, size, view))
    const seen = views.get(view)
    const after = seen && (await render(result, size, view))
    return after !== undefined && looksSame(seen!, after)
  }
  for (const group of rewritings) {
    const results = group.map((rewriting) => ({ rewriting, result: resultOf(rewriting) }))
    for (const { rewriting, result } of results.sort((a, b) => a.result.length - b.result.length)) {
      if (!(await looksLikeSource(result, rewriting.isBold === true ? 2 : 1))) continue
      if (rewriting.isLookedInto === true && !(await looksLikeSource(result, 'stroked'))) continue
      const mayBeMerged = keepElements !== true && mayMerge(rewriting, features, result)
      const merge = (ranges: readonly PathRange[]): string =>
        rewritten(result, mergingConfig(rewriting, ranges, own), own !== undefined)
      const merged = mayBeMerged ? await mergedPaths(result, merge, (each) => looksLikeSource(each, 2)) : result
      return { data: Buffer.from(merged), notes: [] }
    }
  }
  return { notes: ['The SVG is passed through as it is, as it would look different.'] }
}

/** Parts of a drawing in which paths are merged without the rest. Each takes one rendering. */
const MOST_PARTS = 8

/** Paths that are too few for a part. */
const FEWEST_PATHS = 8

/** Merges as many paths as look the same: all of them, or those of halves, quarters and eighths. */
async function mergedPaths(
  result: string,
  merge: (ranges: readonly PathRange[]) => string,
  looksLikeSource: (text: string) => Promise<boolean>,
): Promise<string> {
  const paths = result.split('<path').length - 1
  const taken: PathRange[] = []
  let best = result
  const open: PathRange[] = [[0, paths]]
  for (let range = open.shift(); range !== undefined; range = open.shift()) {
    const [first, end] = range
    const text = merge([...taken, range])
    if (text.length >= best.length) continue
    if (await looksLikeSource(text)) {
      taken.push(range)
      best = text
    } else if (end - first > Math.max(FEWEST_PATHS, paths / MOST_PARTS)) {
      const middle = Math.ceil((first + end) / 2)
      open.push([first, middle], [middle, end])
    }
  }
  return best
}

/**
 * Renders a drawing; `undefined` where it may take too much, or librsvg cannot. @throws PixpressError `DECODE_FAILED`
 */
export async function showSvg(
  source: Uint8Array,
): Promise<{ data: Uint8Array; width: number; height: number } | undefined> {
  const text = decoded(source)
  const size = renderableSize(text, featuresOf(text))
  const shown = size && (await render(text, size))
  return shown && { data: shown.pixels, width: shown.width, height: shown.height }
}

function decoded(source: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch (error) {
    throw new PixpressError('DECODE_FAILED', 'The SVG is not valid UTF-8.', { cause: error })
  }
}

function featuresOf(text: string): Features {
  try {
    return readFeatures(text)
  } catch (error) {
    throw unreadable(error)
  }
}

function rewritten(text: string, config: Config, isConfigured: boolean): string {
  try {
    return optimize(text, config).data
  } catch (error) {
    if (!isConfigured) throw unreadable(error)
    const reason = `svgo fails with the option 'svgo': ${firstLine(error)}.`
    throw new PixpressError('INVALID_OPTION', reason, { cause: error })
  }
}

const unreadable = (error: unknown): unknown =>
  isCodeError(error)
    ? error
    : new PixpressError('DECODE_FAILED', `The SVG cannot be read: ${firstLine(error)}.`, { cause: error })
