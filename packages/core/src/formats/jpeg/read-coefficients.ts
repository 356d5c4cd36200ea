/** Reads the quantised coefficients of a JPEG file. Source: ITU-T T.81 annexes B, F and G. */
import { uint16 } from '../../metadata/bytes.ts'
import { BLOCK, blocksAlong } from './coefficients.ts'
import type { Coefficients, Component, Frame, FrameHeader } from './coefficients.ts'
import { huffmanDecoder } from './huffman.ts'
import type { HuffmanDecoder } from './huffman.ts'
import { SCAN_DATA, segments } from './metadata.ts'
import { readScan } from './read-scan.ts'
import type { Scan, ScanComponent } from './read-scan.ts'

const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2] as const
const [DHT, EOI, SOS, DQT, DRI, APP0, APP15, COM] = [0xc4, 0xd9, 0xda, 0xdb, 0xdd, 0xe0, 0xef, 0xfe] as const

/** 50 megapixels with halved chroma, in 150 MB: the pixels are in memory as well. */
const MOST_COEFFICIENTS = 75_000_000

/** Encoders write about ten scans; every one takes as long as a whole picture. */
const MOST_SCANS = 100

/** Bits of a coefficient that no scan has given yet, and none. */
const UNSEEN = -1

/** The tables and frame that the segments so far have defined. */
interface State {
  readonly data: Uint8Array
  readonly accepts: (header: FrameHeader) => boolean
  readonly tables: (Uint16Array | undefined)[]
  /** Indexed by class (DC, AC) × 4 + number. */
  readonly decoders: (HuffmanDecoder | undefined)[]
  restartInterval: number
  frame: Frame | undefined
  /** Keeps, for each component, the bits of each coefficient that are still to come, or `UNSEEN`. */
  readonly missing: Map<Component, Int8Array>
  scans: number
  scan: Scan | undefined
}

/**
 * Reads the coefficients of a file with Huffman codes, sequential or progressive, of 8 bits and 1 or 3 components.
 * Never throws.
 * @param accepts told of the frame, whether its coefficients are wanted
 * @returns `undefined` for all other files, for very large ones, and for what is damaged, truncated, or ends before the
 * last bit of each coefficient
 */
export function readCoefficients(
  data: Uint8Array,
  accepts: (header: FrameHeader) => boolean,
): Coefficients | undefined {
  const state: State = {
    data,
    accepts,
    tables: [],
    decoders: [],
    restartInterval: 0,
    frame: undefined,
    missing: new Map(),
    scans: 0,
    scan: undefined,
  }
  let last = 0
  for (const { marker, content, end } of segments(data)) {
    last = marker
    if (marker !== EOI && !readSegment(state, marker, content, end)) return undefined
  }
  const { frame, tables, missing } = state
  if (last !== EOI || frame === undefined) return undefined
  const isWhole = frame.components.every((each) => missing.get(each)!.every((bits) => bits === 0))
  const hasTables = frame.components.every(({ table }) => tables[table] !== undefined)
  return isWhole && hasTables ? { frame, tables } : undefined
}

/** @returns whether the file can be read on */
function readSegment(state: State, marker: number, start: number, end: number): boolean {
  if (marker === SCAN_DATA) return state.scan !== undefined && readScan(state.data, start, end, state.scan)
  if (marker === COM || (marker >= APP0 && marker <= APP15)) return true
  if (marker === DHT) return readHuffmanTables(state, start, end)
  // A decoder takes the table that it meets first: where it changes between scans, decoders differ.
  if (marker === DQT) return state.scans === 0 && readQuantisationTables(state, start, end)
  if (marker === DRI) {
    state.restartInterval = uint16(state.data, start)
    return end - start === 2
  }
  if (marker === BASELINE || marker === EXTENDED || marker === PROGRESSIVE) {
    if (state.frame !== undefined) return false
    state.frame = readFrame(state.data.subarray(start, end), marker === PROGRESSIVE, state.accepts)
    for (const each of state.frame?.components ?? []) state.missing.set(each, new Int8Array(BLOCK).fill(UNSEEN))
    return state.frame !== undefined
  }
  if (marker !== SOS || ++state.scans > MOST_SCANS) return false
  state.scan = readScanHeader(state, start, end)
  return state.scan !== undefined
}

function readQuantisationTables({ data, tables }: State, start: number, end: number): boolean {
  let at = start
  while (at < end) {
    const [bytes, number] = [(data[at]! >> 4) + 1, data[at]! & 15]
    const from = at + 1
    at = from + BLOCK * bytes
    if (bytes > 2 || number > 3 || at > end) return false
    const steps = Uint16Array.from({ length: BLOCK }, (_, k) =>
      bytes === 1 ? data[from + k]! : uint16(data, from + 2 * k),
    )
    if (steps.includes(0)) return false
    tables[number] = steps
  }
  return true
}

function readHuffmanTables({ data, decoders }: State, start: number, end: number): boolean {
  let at = start
  while (at < end) {
    const [kind, number] = [data[at]! >> 4, data[at]! & 15]
    const counts = new Uint8Array(17)
    if (at + 17 > end) return false
    counts.set(data.subarray(at + 1, at + 17), 1)
    const from = at + 17
    at = from + counts.reduce((sum, count) => sum + count, 0)
    if (kind > 1 || number > 3 || at > end || at - from > 256) return false
    const decoder = huffmanDecoder({ counts, symbols: data.subarray(from, at) })
    if (decoder === undefined) return false
    decoders[kind * 4 + number] = decoder
  }
  return true
}

function readFrame(
  header: Uint8Array,
  isProgressive: boolean,
  accepts: (header: FrameHeader) => boolean,
): Frame | undefined {
  const [bits, height, width, count] = [header[0], uint16(header, 1), uint16(header, 3), header[5]]
  if (bits !== 8 || height === 0 || width === 0 || (count !== 1 && count !== 3)) return undefined
  if (header.length !== 6 + 3 * count) return undefined
  const given = Array.from({ length: count }, (_, index) => {
    const [id, factors, table] = header.subarray(6 + 3 * index, 9 + 3 * index)
    return { id: id!, across: factors! >> 4, down: factors! & 15, table: table! }
  })
  if (given.some(({ across, down, table }) => across < 1 || across > 4 || down < 1 || down > 4 || table > 3)) {
    return undefined
  }
  if (new Set(given.map(({ id }) => id)).size < count) return undefined
  const isGrey = count === 1
  const mostAcross = Math.max(...given.map(({ across }) => across))
  const mostDown = Math.max(...given.map(({ down }) => down))
  if (!accepts({ width, height, isGrey, mostAcross, mostDown })) return undefined
  const mcusWide = Math.ceil(width / (8 * mostAcross))
  const mcusHigh = Math.ceil(height / (8 * mostDown))
  const sizeOf = ({ across, down }: { across: number; down: number }): number =>
    mcusWide * across * mcusHigh * down * BLOCK
  if (given.reduce((sum, each) => sum + sizeOf(each), 0) > MOST_COEFFICIENTS) return undefined
  const components = given.map((each) => ({
    ...each,
    blocksWide: blocksAlong(width, each.across, mostAcross),
    blocksHigh: blocksAlong(height, each.down, mostDown),
    stride: mcusWide * each.across,
    coefficients: new Int16Array(sizeOf(each)),
  }))
  return { width, height, isGrey, isProgressive, mostAcross, mostDown, mcusWide, mcusHigh, components }
}

/** Reads the scan, where it gives coefficients in an order that makes sense (annex G.1.1.1). */
function readScanHeader(state: State, start: number, end: number): Scan | undefined {
  const { data, frame, decoders, missing, restartInterval } = state
  const count = data[start]!
  if (frame === undefined || count < 1 || count > frame.components.length || end - start !== 4 + 2 * count) {
    return undefined
  }
  const at = start + 1 + 2 * count
  const [first, last, approximation] = [data[at]!, data[at + 1]!, data[at + 2]!]
  const [high, shift] = [approximation >> 4, approximation & 15]
  const isOrdered = frame.isProgressive
    ? (first === 0 ? last === 0 : first <= last && last < BLOCK && count === 1) && (high === 0 || high === shift + 1)
    : first === 0 && last === BLOCK - 1 && approximation === 0
  if (!isOrdered || shift > 13) return undefined
  const components: ScanComponent[] = []
  for (let index = 0; index < count; index++) {
    const id = data[start + 1 + 2 * index]!
    const numbers = data[start + 2 + 2 * index]!
    const component = frame.components.find((each) => each.id === id)
    if (numbers >> 4 > 3 || (numbers & 15) > 3) return undefined
    if (component === undefined || components.some((each) => each.component === component)) return undefined
    const bits = missing.get(component)!
    for (let k = first; k <= last; k++) {
      if (bits[k] !== (high === 0 ? UNSEEN : high)) return undefined
      bits[k] = shift
    }
    components.push({ component, dc: decoders[numbers >> 4], ac: decoders[4 + (numbers & 15)] })
  }
  // T.81 annex B.2.3
  const blocks = components.reduce((sum, { component: { across, down } }) => sum + across * down, 0)
  if (count > 1 && blocks > 10) return undefined
  return { frame, components, band: { first, last, refines: high > 0, shift }, restartInterval }
}
