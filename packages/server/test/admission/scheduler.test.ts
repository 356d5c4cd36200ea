import { describe, expect, it } from 'vitest'
import { createScheduler } from '../../src/admission/scheduler.ts'
import type { Piece, Scheduler, SchedulerSettings, Waiting } from '../../src/admission/scheduler.ts'

interface Named extends Piece {
  readonly name: string
}

const MB = 1_000_000

const piece = (name: string, work = 1000, bytes = 100 * MB): Named => ({ name, account: name[0]!, work, bytes })

function scheduler(more: Partial<SchedulerSettings> = {}): Scheduler<Named> {
  return createScheduler<Named>({
    places: 2,
    memory: 400 * MB,
    spareMemory: 50 * MB,
    queue: 100,
    maxWait: 600_000,
    weightOf: () => 1,
    ...more,
  })
}

function enterAll(line: Scheduler<Named>, pieces: readonly Named[], now = 0): Waiting<Named>[] {
  return pieces.map((each) => line.enter(each, now).entered!)
}

const twelve = (account: string): Named[] => Array.from({ length: 12 }, (_, index) => piece(`${account}${index}`))

/** Begins what may begin. */
function begin(line: Scheduler<Named>, now = 0): Waiting<Named>[] {
  const begun: Waiting<Named>[] = []
  for (let next = line.next(now); next !== undefined; next = line.next(now)) begun.push(next)
  return begun
}

const names = (begun: readonly Waiting<Named>[]): string[] => begun.map(({ piece: { name } }) => name)

/** Works through the whole line, one piece after the other ending, and returns the order in which they began. */
function order(line: Scheduler<Named>): string[] {
  const running = begin(line)
  const began = names(running)
  for (let ended = running.shift(); ended !== undefined; ended = running.shift()) {
    line.end(ended)
    const more = begin(line)
    running.push(...more)
    began.push(...names(more))
  }
  return began
}

describe('createScheduler', () => {
  it('begins as many as there are places, and the next when one ends', () => {
    const line = scheduler()
    enterAll(line, [piece('a1'), piece('a2'), piece('a3')])
    const [first] = begin(line)
    expect([line.working, line.waiting, line.idle]).toEqual([2, 1, false])
    line.end(first!)
    expect(names(begin(line))).toEqual(['a3'])
    line.end(first!)
    expect([line.working, line.waiting]).toEqual([2, 0])
  })

  it('lets accounts go on in turn, however many pieces one of them has', () => {
    const line = scheduler({ places: 1 })
    enterAll(
      line,
      ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => piece(name)),
    )
    expect(order(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('gives an account that comes later its turn next, and no turns for the time that it was away', () => {
    const line = scheduler({ places: 1 })
    enterAll(
      line,
      ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => piece(name)),
    )
    for (let ended = 0; ended < 3; ended++) line.end(begin(line)[0]!)
    enterAll(
      line,
      ['b1', 'b2', 'b3'].map((name) => piece(name)),
    )
    expect(order(line)).toEqual(['b1', 'a4', 'b2', 'a5', 'b3', 'a6'])
  })

  it('counts turns by the work in them: ten small ones are one large one', () => {
    const line = scheduler({ places: 1 })
    const small = Array.from({ length: 30 }, (_, index) => piece(`b${index}`, 100))
    enterAll(line, [piece('a1'), piece('a2'), piece('a3'), ...small])
    const began = order(line)
    expect(began[0]).toBe('a1')
    expect(began.indexOf('a2')).toBe(11)
    expect(began.indexOf('a3')).toBe(22)
  })

  it('gives an account with three times the weight three times the work', () => {
    const line = scheduler({ places: 1, weightOf: (account) => (account === 'b' ? 3 : 1) })
    enterAll(line, [...twelve('a'), ...twelve('b')])
    const began = order(line).slice(0, 12)
    expect(began.filter((name) => name.startsWith('b'))).toHaveLength(9)
  })

  it('takes the smallest of an account first, until a larger one is due', () => {
    const line = scheduler({ places: 1 })
    enterAll(line, [piece('a-large', 5000)])
    enterAll(line, [piece('a-small', 100)], 10)
    // Ten times the work of the large one has passed when this one comes.
    enterAll(line, [piece('a-late', 100)], 50_000)
    expect(order(line)).toEqual(['a-small', 'a-large', 'a-late'])
  })

  it('works on no more bytes at once than there may be, and on what is larger alone', () => {
    const line = scheduler({ places: 4 })
    enterAll(line, [piece('a1', 1000, 300 * MB), piece('b1', 1000, 200 * MB), piece('c1', 1000, 900 * MB)])
    const [first] = begin(line)
    expect(line.working).toBe(1)
    line.end(first!)
    const [second, ...none] = begin(line)
    expect([second!.piece.name, none]).toEqual(['b1', []])
    line.end(second!)
    expect(names(begin(line))).toEqual(['c1'])
    expect([line.working, line.idle]).toEqual([1, true])
  })

  it('lets others go before one whose memory is not free, and keeps memory for it after sixteen of them', () => {
    const line = scheduler({ spareMemory: 1 })
    enterAll(line, [piece('a-stays')])
    expect(names(begin(line))).toEqual(['a-stays'])
    enterAll(line, [piece('a-heavy', 1000, 400 * MB)])
    // Those that come later are not smaller, and so they are behind it in the line.
    const light = Array.from({ length: 20 }, (_, index) => piece(`a-light${index}`))
    enterAll(line, light)
    const overtaking: string[] = []
    for (let next = line.next(0); next !== undefined; next = line.next(0)) {
      overtaking.push(next.piece.name)
      line.end(next)
    }
    expect(overtaking).toEqual(light.slice(0, 16).map(({ name }) => name))
  })

  it('begins a small one of any account beside much larger ones that have all places, and one alone', () => {
    const line = scheduler()
    enterAll(line, [piece('a1', 5000), piece('a2', 5000), piece('a3', 5000)])
    begin(line)
    enterAll(line, [piece('b1', 300, 40 * MB), piece('b2', 300, 40 * MB), piece('c1', 300, 60 * MB)])
    const beside = begin(line)
    expect(names(beside)).toEqual(['b1'])
    expect([line.working, line.idle]).toEqual([3, false])
    line.end(beside[0]!)
    // 60 MB is more than is kept for them.
    expect(names(begin(line))).toEqual(['b2'])
  })

  it('begins none beside ones of its own size', () => {
    const line = scheduler()
    enterAll(
      line,
      ['a1', 'a2', 'b1'].map((name) => piece(name, 300, 10 * MB)),
    )
    expect(names(begin(line))).toEqual(['a1', 'b1'])
  })

  it('takes a piece out that nobody waits for, and forgets accounts that have nothing', () => {
    const line = scheduler({ places: 1 })
    const [first, second] = enterAll(line, [piece('a1'), piece('b1')])
    begin(line)
    expect([line.leave(second!), line.leave(second!), line.leave(first!)]).toEqual([true, false, false])
    expect([line.waitingOf('b'), line.waiting]).toEqual([0, 0])
  })
})

describe('bounds of waiting', () => {
  it('refuses those beyond the number that may wait, and says when the work that waits is done', () => {
    const line = scheduler({ places: 1, queue: 2 })
    enterAll(line, [piece('a1', 4000)])
    begin(line)
    enterAll(line, [piece('a2', 2000), piece('a3', 3000)])
    expect(line.enter(piece('a4'), 1000)).toEqual({ entered: undefined, retryAfter: 3000 + 2000 + 3000 })
    expect(line.fullFor('a', 1000)).toBe(8000)
  })

  it('puts the last of the longest line out for an account that has less in it', () => {
    const line = scheduler({ places: 1, queue: 3 })
    enterAll(line, [piece('a1')])
    begin(line)
    enterAll(line, [piece('a2'), piece('a3'), piece('a4')])
    expect(line.fullFor('b', 0)).toBe(0)
    expect(line.enter(piece('b1'), 0)).toMatchObject({ putOut: { piece: { name: 'a4' } } })
    expect([line.waitingOf('a'), line.waitingOf('b')]).toEqual([2, 1])
    // Two and two would be no better than two and one.
    expect(line.enter(piece('b2'), 0).entered).toBeUndefined()
    expect(line.enter(piece('c1'), 0)).toMatchObject({ putOut: { piece: { name: 'a3' } } })
  })

  it('lets nothing wait where nothing may, and works nevertheless', () => {
    const line = scheduler({ places: 1, queue: 0 })
    expect(line.enter(piece('a1'), 0).entered).toBeDefined()
    begin(line)
    expect(line.enter(piece('a2'), 0).entered).toBeUndefined()
  })

  it('refuses what would wait for too long, and says when it would not', () => {
    const line = scheduler({ places: 1, maxWait: 10_000 })
    enterAll(line, [piece('a1', 8000)])
    begin(line)
    enterAll(line, [piece('a2', 6000)])
    expect(line.expectedWait(piece('a3', 7000), 0)).toBe(14_000)
    expect(line.enter(piece('a3', 7000), 0)).toEqual({ entered: undefined, retryAfter: 4000 })
    // A smaller one of the account goes before.
    expect(line.expectedWait(piece('a3', 100), 0)).toBe(8000)
    // Another account waits for what is in work, and for one turn as long as its own.
    expect(line.expectedWait(piece('b1', 100), 0)).toBe(8100)
    expect(line.enter(piece('b1', 100), 0).entered).toBeDefined()
  })

  it('expects that what takes all memory keeps the other places empty', () => {
    const line = scheduler({ places: 4 })
    enterAll(line, [piece('a1', 4000, 900 * MB)])
    begin(line)
    enterAll(line, [piece('a2', 4000, 40 * MB)])
    expect(line.expectedWait(piece('a3', 4000, 40 * MB), 2000)).toBe(2000 + 1000)
  })
})
