/** Work on one image, as far as the order of the line is concerned. */
export interface Piece {
  readonly account: string
  /** Bytes that it takes while it is worked on, decoded. */
  readonly bytes: number
  /** Milliseconds that it is expected to take a processor. */
  readonly work: number
}

/** A piece in the line. */
export interface Waiting<T extends Piece> {
  readonly piece: T
  /** Milliseconds of a clock that never goes back. */
  readonly since: number
  /** From then on nothing that comes later goes before it in its account's line. */
  readonly due: number
  /** Pieces that went before it when its turn had come and its memory was not free. */
  overtaken: number
}

/** Bounds of what is worked on at once, and of what waits. */
export interface SchedulerSettings {
  /** Pieces worked on at once, besides a small one. */
  readonly places: number
  /** Bytes that these may take together. A piece that takes more is worked on alone. */
  readonly memory: number
  /** Bytes of the largest piece that may begin beside them, while much larger ones have all places. */
  readonly spareMemory: number
  /** Pieces that may wait. */
  readonly queue: number
  /** Milliseconds that a piece may be expected to wait. */
  readonly maxWait: number
  /** Shares of the accounts, above 0, relative to each other. */
  readonly weightOf: (account: string) => number
}

/** The answer to a piece that comes: it waits (and may have put another one out), or for how long there is no room. */
export type Entry<T extends Piece> =
  | { readonly entered: Waiting<T>; readonly putOut: Waiting<T> | undefined }
  | { readonly entered: undefined; readonly retryAfter: number }

/**
 * Who is worked on next. Between accounts it is a weighted round in which turns are as long as the work is: the account
 * that has received the least goes on. Within an account the smallest goes first, until a larger one is due. It reads
 * no clock and starts nothing.
 */
export interface Scheduler<T extends Piece> {
  /** @param now milliseconds of a clock that never goes back */
  enter(piece: T, now: number): Entry<T>
  /** Takes a piece out that nobody waits for any more. `false` where it does not wait. */
  leave(waiting: Waiting<T>): boolean
  /** Begins the next piece; `undefined` where none may begin now. */
  next(now: number): Waiting<T> | undefined
  /** Ends a piece that has begun. */
  end(waiting: Waiting<T>): void
  /** @returns milliseconds until there is room for one more of the account; 0 where there is */
  fullFor(account: string, now: number): number
  /** @returns milliseconds that a piece which comes now is expected to wait */
  expectedWait(piece: Piece, now: number): number
  readonly waiting: number
  /** Pieces in work. */
  readonly working: number
  /** A piece could begin at once. */
  readonly idle: boolean
  /** Pieces that wait, by account. */
  waitingOf(account: string): number
}

/**
 * Times of its own work that a piece waits for smaller ones of its account: 12 megapixels, which take some seconds, are
 * due within a minute.
 */
const PATIENCE = 10

/** Pieces that may go before one whose memory is not free yet. Then memory is kept for it. */
const MOST_OVERTAKING = 16

/** Times its work that another piece has to take for a small one to begin beside it. */
const MUCH_LARGER = 4

/** The line of an account. */
interface Line<T extends Piece> {
  readonly account: string
  readonly weight: number
  /** In the order in which they are due. */
  readonly waiting: Waiting<T>[]
  running: number
  /** Milliseconds of the whole server that it has received, over its weight, since the server was last idle. */
  received: number
}

interface Running {
  readonly piece: Piece
  readonly began: number
  /** Begun beside those that have the places. */
  readonly beside: boolean
}

interface State<T extends Piece> {
  readonly settings: SchedulerSettings
  readonly lines: Map<string, Line<T>>
  readonly running: Map<Waiting<T>, Running>
  /** The work that the line had received which went on last: accounts that come begin there. */
  received: number
}

/** Creates a scheduler without work. */
export function createScheduler<T extends Piece>(settings: SchedulerSettings): Scheduler<T> {
  const state: State<T> = { settings, lines: new Map(), running: new Map(), received: 0 }
  const { lines, running } = state
  return {
    enter(piece, now) {
      const retryAfter = tooLate(state, piece, now)
      if (retryAfter > 0) return { entered: undefined, retryAfter }
      const isFull = waitingIn(state) >= settings.queue && !canBegin(state, piece)
      const putOut = isFull ? longestBut(state, piece.account)?.waiting.at(-1) : undefined
      if (isFull && putOut === undefined) return { entered: undefined, retryAfter: workLeft(state, now) }
      if (putOut !== undefined) leave(state, putOut)
      return { entered: enter(state, piece, now), putOut }
    },
    leave: (waiting) => leave(state, waiting),
    next: (now) => next(state, now),
    end(waiting) {
      if (!running.delete(waiting)) return
      const line = lines.get(waiting.piece.account)!
      line.running--
      forget(state, line)
    },
    fullFor(account, now) {
      const isFull = waitingIn(state) >= settings.queue && !isFree(state)
      return isFull && longestBut(state, account) === undefined ? Math.max(1, workLeft(state, now)) : 0
    },
    expectedWait: (piece, now) => expectedWait(state, piece, now),
    get waiting() {
      return waitingIn(state)
    },
    get working() {
      return running.size
    },
    get idle() {
      return isFree(state) && waitingIn(state) === 0
    },
    waitingOf: (account) => lines.get(account)?.waiting.length ?? 0,
  }
}

function enter<T extends Piece>(state: State<T>, piece: T, now: number): Waiting<T> {
  const { account, work } = piece
  const line = lineOf(state, account)
  const waiting = { piece, since: now, due: now + PATIENCE * work, overtaken: 0 }
  const at = line.waiting.findIndex(({ due }) => due > waiting.due)
  line.waiting.splice(at === -1 ? line.waiting.length : at, 0, waiting)
  return waiting
}

function lineOf<T extends Piece>({ lines, settings, received }: State<T>, account: string): Line<T> {
  const known = lines.get(account)
  if (known !== undefined) return known
  const line = { account, weight: settings.weightOf(account), waiting: [], running: 0, received }
  lines.set(account, line)
  return line
}

function leave<T extends Piece>(state: State<T>, waiting: Waiting<T>): boolean {
  const line = state.lines.get(waiting.piece.account)
  const at = line?.waiting.indexOf(waiting) ?? -1
  if (line === undefined || at === -1) return false
  line.waiting.splice(at, 1)
  forget(state, line)
  return true
}

/** Keeps nothing of an account that has nothing here: there may be many of them. */
function forget<T extends Piece>({ lines }: State<T>, line: Line<T>): void {
  if (line.running === 0 && line.waiting.length === 0) lines.delete(line.account)
}

function next<T extends Piece>(state: State<T>, now: number): Waiting<T> | undefined {
  const order = [...state.lines.values()]
    .filter(({ waiting }) => waiting.length > 0)
    .sort((a, b) => a.received - b.received)
    .flatMap(({ waiting }) => waiting)
  const [first] = order
  if (first === undefined) return undefined
  const isKept = first.overtaken >= MOST_OVERTAKING
  for (const waiting of order) {
    const place = placeFor(state, waiting.piece)
    if (place === undefined || (isKept && waiting !== first && place === 'own')) continue
    if (waiting !== first && isFree(state)) first.overtaken++
    begin(state, waiting, { piece: waiting.piece, began: now, beside: place === 'beside' })
    return waiting
  }
  return undefined
}

function begin<T extends Piece>(state: State<T>, waiting: Waiting<T>, running: Running): void {
  const line = lineOf(state, waiting.piece.account)
  line.waiting.splice(line.waiting.indexOf(waiting), 1)
  line.running++
  state.received = Math.max(state.received, line.received)
  line.received += share(state, waiting.piece) / line.weight
  state.running.set(waiting, running)
}

/** @returns where a piece may begin now */
function placeFor<T extends Piece>(state: State<T>, piece: Piece): 'own' | 'beside' | undefined {
  const { settings, running } = state
  const own = [...running.values()].filter(({ beside }) => !beside)
  const bytes = own.reduce((sum, each) => sum + each.piece.bytes, 0)
  if (own.length === 0 || (isFree(state) && bytes + piece.bytes <= settings.memory)) return 'own'
  const isSmall = piece.bytes <= settings.spareMemory && own.some((each) => each.piece.work >= MUCH_LARGER * piece.work)
  return isSmall && own.length === running.size ? 'beside' : undefined
}

function canBegin<T extends Piece>(state: State<T>, piece: Piece): boolean {
  return waitingIn(state) === 0 && placeFor(state, piece) !== undefined
}

/** Tells whether one of the places is free, whatever memory is. */
function isFree<T extends Piece>({ settings, running }: State<T>): boolean {
  return [...running.values()].filter(({ beside }) => !beside).length < settings.places
}

function waitingIn<T extends Piece>({ lines }: State<T>): number {
  return [...lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
}

/** Returns the longest line for its weight, which has to be longer than the account's own with one more. */
function longestBut<T extends Piece>(state: State<T>, account: string): Line<T> | undefined {
  const length = ({ waiting, weight }: Line<T>): number => waiting.length / weight
  const own = state.lines.get(account)
  const least = ((own?.waiting.length ?? 0) + 1) / (own?.weight ?? state.settings.weightOf(account))
  return [...state.lines.values()]
    .filter((line) => line !== own && line.waiting.length > 0 && length(line) > least)
    .sort((a, b) => length(b) - length(a))[0]
}

/** Milliseconds for which a piece has the whole server: by processors or by memory, whichever it takes more of. */
function share<T extends Piece>({ settings: { places, memory } }: State<T>, { work, bytes }: Piece): number {
  return work * Math.max(1 / places, Math.min(1, bytes / memory))
}

function workLeft<T extends Piece>(state: State<T>, now: number): number {
  const waits = [...state.lines.values()].reduce((sum, line) => sum + shares(state, line.waiting), 0)
  return waits + runningLeft(state, now)
}

function shares<T extends Piece>(state: State<T>, waiting: readonly Waiting<T>[]): number {
  return waiting.reduce((sum, { piece }) => sum + share(state, piece), 0)
}

function runningLeft<T extends Piece>(state: State<T>, now: number): number {
  return [...state.running.values()].reduce((sum, { piece, began }) => {
    const left = Math.max(0, 1 - (now - began) / Math.max(1, piece.work))
    return sum + left * share(state, piece)
  }, 0)
}

/** Another account goes on for as long as this one has, by their weights, and not for longer than it has work. */
function expectedWait<T extends Piece>(state: State<T>, piece: Piece, now: number): number {
  if (canBegin(state, piece)) return 0
  const own = state.lines.get(piece.account)
  const weight = own?.weight ?? state.settings.weightOf(piece.account)
  const due = now + PATIENCE * piece.work
  const before = shares(state, own?.waiting.filter((each) => each.due <= due) ?? [])
  const others = [...state.lines.values()]
    .filter((line) => line !== own)
    .map((line) => Math.min(shares(state, line.waiting), ((before + share(state, piece)) * line.weight) / weight))
  return others.reduce((sum, wait) => sum + wait, before + runningLeft(state, now))
}

/** @returns milliseconds after which the piece would not have to wait for too long; 0 where it has not */
function tooLate<T extends Piece>(state: State<T>, piece: Piece, now: number): number {
  return Math.max(0, expectedWait(state, piece, now) - state.settings.maxWait)
}
