import path from 'node:path'
import { INPUT_TYPES } from '@pixpress/core/internal'
import { compare } from '@pixpress/core/report'
import type { Why } from '@pixpress/core/report'
import { shownPath } from '../compress/batch.ts'
import type { FoundFiles } from '../compress/inputs.ts'
import type { CheckedImage, Outcome } from './images.ts'

/** Images, one after the other: an array of them, or what makes each as it is asked for. */
export interface ImageList extends Iterable<CheckedImage> {
  readonly length: number
}

/**
 * All images of a run by `source`, with about 80 bytes for each: objects of 100,000 images were most of the memory of a
 * check. Positions are from 0.
 */
export interface ImageTable extends ImageList {
  sourceOf(at: number): string
  /** Absolute path. */
  fileOf(at: number): string
  /** Where an image stands, by its `source`; `undefined` for what is none of these. */
  positionOf(source: string): number | undefined
  /** @param outcome absent where only the bytes are known */
  set(at: number, bytes: number, outcome?: Outcome): void
  /**
   * Says of an image that a build ships it: its bytes are then those that are delivered.
   * @param file bytes of the file itself
   */
  deliver(at: number, file: number, delivered: DeliveredImage): void
  /** Says of an image that has an outcome why it is no smaller. */
  explain(at: number, why: Why): void
  /** The `id` of an image that a build ships. */
  idOf(at: number): string | undefined
  /** Returns whether the image at a position has an outcome or a failure. */
  isSet(at: number): boolean
  /** Bytes that it would have after `compress`, as `possibleBytes` has them, without making the image. */
  possibleOf(at: number): number
  bytesOf(at: number): number
  get(at: number): CheckedImage
  /** Those at some positions, in this order. */
  at(positions: Uint32Array): ImageList
}

/** The file that a build ships of an image. */
export interface DeliveredImage {
  readonly bytes: number
  /** Equal for images that are shipped as one file. */
  readonly id: string
  /** Absent for an image that nobody asked about: it only counts among others. */
  readonly outcome?: Omit<Outcome, 'bytes' | 'isDone'>
}

/** @param root absolute folder that `source` is relative to */
export function createImageTable(found: readonly FoundFiles[], root: string): ImageTable {
  const { prefix, names, fileOf } = namesOf(found, root)
  const { length } = names
  const sizes = new Float64Array(length)
  const outcomes = createOutcomes(length)
  const isSet = new Uint8Array(length)
  /** Images that a build ships; empty in projects without one. */
  const shipped = new Map<number, { readonly file: number; readonly id: string }>()

  const sourceOf = (at: number): string => prefix + names[at]!
  function get(at: number): CheckedImage {
    const outcome = outcomes.get(at)
    const [source, bytes] = [sourceOf(at), sizes[at]!]
    const image = outcome === undefined ? { source, bytes } : { source, bytes, outcome }
    const own = shipped.get(at)
    return own === undefined ? image : { ...image, ...own }
  }
  return {
    length,
    sourceOf,
    fileOf: (at) => fileOf(names[at]!),
    positionOf: (source) => (source.startsWith(prefix) ? search(names, source.slice(prefix.length)) : undefined),
    set(at, bytes, outcome) {
      isSet[at] = 1
      sizes[at] = bytes
      if (outcome !== undefined) outcomes.set(at, outcome)
    },
    deliver(at, file, { bytes, id, outcome }) {
      isSet[at] = 1
      sizes[at] = bytes
      shipped.set(at, { file, id })
      if (outcome !== undefined) outcomes.set(at, { ...outcome, bytes, isDone: true })
    },
    explain: outcomes.explain,
    idOf: (at) => shipped.get(at)?.id,
    isSet: (at) => isSet[at] === 1,
    possibleOf: (at) => Math.min(sizes[at]!, outcomes.bytesLeft(at)),
    bytesOf: (at) => sizes[at]!,
    get,
    at: (positions) => ({
      length: positions.length,
      *[Symbol.iterator]() {
        for (const at of positions) yield get(at)
      },
    }),
    *[Symbol.iterator]() {
      for (let at = 0; at < length; at++) yield get(at)
    },
  }
}

interface Outcomes {
  get(at: number): Outcome | undefined
  set(at: number, outcome: Outcome): void
  explain(at: number, why: Why): void
  /** Bytes that compressing gives; `Infinity` where it is not known, or there is nothing left to do. */
  bytesLeft(at: number): number
}

function createOutcomes(length: number): Outcomes {
  const bytesOf = new Float64Array(length)
  /** `NaN`: none. */
  const scores = new Float64Array(length)
  /** Positions in the list of types, from 1. 0: no outcome. */
  const types = new Uint8Array(length)
  const inputTypes = new Uint8Array(length)
  const isDone = new Uint8Array(length)
  /** Few images have reasons, or most share one: a place in the list takes eight bytes. */
  const reasons = Array.from<Why | undefined>({ length })
  return {
    get(at) {
      if (types[at] === 0) return undefined
      const [type, inputType] = [INPUT_TYPES[types[at]! - 1]!, INPUT_TYPES[inputTypes[at]! - 1]!]
      const [bytes, score, done] = [bytesOf[at]!, scores[at]!, isDone[at] === 1]
      const why = reasons[at]
      const scored = Number.isNaN(score)
        ? { bytes, type, inputType, isDone: done }
        : { bytes, type, inputType, score, isDone: done }
      return why === undefined ? scored : { ...scored, why }
    },
    set(at, { bytes, type, inputType, score = NaN, isDone: done, why }) {
      bytesOf[at] = bytes
      scores[at] = score
      types[at] = INPUT_TYPES.indexOf(type) + 1
      inputTypes[at] = INPUT_TYPES.indexOf(inputType) + 1
      isDone[at] = done ? 1 : 0
      reasons[at] = why
    },
    explain: (at, why) => void (reasons[at] = why),
    bytesLeft: (at) => (types[at] === 0 || isDone[at] === 1 ? Infinity : bytesOf[at]!),
  }
}

interface Names {
  /** Text that all sources begin with. */
  readonly prefix: string
  /** The rest of each, sorted. */
  readonly names: readonly string[]
  /** Absolute path of a name. */
  readonly fileOf: (name: string) => string
}

/** Names of a single folder within the root, which is the usual case, stay as they were listed. */
function namesOf(found: readonly FoundFiles[], root: string): Names {
  const [first] = found
  if (first !== undefined && found.length === 1 && !first.places.some((place) => place.startsWith('..'))) {
    const { folder, places } = first
    const shown = shownPath(root, folder)
    const isBelow = shown !== '..' && !shown.startsWith('../') && !path.isAbsolute(shown)
    const base = folder.endsWith(path.sep) ? folder : folder + path.sep
    const fileOf = (name: string): string => (path.sep === '/' ? base + name : path.join(folder, name))
    if (isBelow) return { prefix: shown === '.' ? '' : `${shown}/`, names: places.sort(compare), fileOf }
  }
  const names = new Set<string>()
  for (const { folder, places } of found)
    for (const place of places) names.add(shownPath(root, path.join(folder, place)))
  return { prefix: '', names: [...names].sort(compare), fileOf: (name) => path.resolve(root, name) }
}

/** Where a name stands in a sorted list. */
function search(names: readonly string[], name: string): number | undefined {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (names[middle]! < name) from = middle + 1
    else to = middle
  }
  return names[from] === name ? from : undefined
}

/** Positions of the images whose `source` a pattern matches. */
export function positionsOf(images: ImageTable, matches: (source: string) => boolean): Uint32Array {
  const positions = new Uint32Array(images.length)
  let count = 0
  for (let at = 0; at < images.length; at++) if (matches(images.sourceOf(at))) positions[count++] = at
  return positions.subarray(0, count)
}
