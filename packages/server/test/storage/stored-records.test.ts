import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { OutputRecord, WorkTicket } from '../../src/index.ts'
import {
  DamagedRecordError,
  parseAnswer,
  parseCount,
  parseOutputRecord,
  parseTicket,
} from '../../src/storage/stored-records.ts'
import { parseWorkOutcome } from '../../src/routes/work-outcome.ts'

const id = 'ab'.repeat(16)
const TICKET: WorkTicket = { job: '12'.repeat(16), server: '34'.repeat(16), id, size: 100 }
const RECORD: OutputRecord = {
  id,
  account: 'shop',
  createdAt: 1_000,
  expiresAt: 2_000,
  input: { type: 'image/png', size: 300 },
  output: { type: 'image/svg+xml', size: 0, width: 3, height: 4 },
}
const INFO = { type: 'image/png', width: 3, height: 4, size: 5, frames: 1, hasAlpha: false }
const ERROR = { code: 'DECODE_FAILED', message: 'It ends too early.', status: 400 }

/** Numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const VALUES: readonly unknown[] = [null, true, -1, 0.5, 1e300, '', '7', 'NaN', [], {}, [1], { size: 1 }, '\u0000']

/** Damages a record: bytes of its text, or a member of it or of its objects. */
function damage(value: unknown, random: (below: number) => number): string {
  const text = JSON.stringify(value)
  const at = random(text.length)
  const kind = random(5)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at + 1)
  const copy = JSON.parse(text) as Record<string, unknown>
  let within = copy
  for (;;) {
    const names = Object.keys(within)
    const name = names[random(names.length)] ?? 'empty'
    const inner = within[name]
    if (typeof inner === 'object' && inner !== null && random(3) > 0) {
      within = inner as Record<string, unknown>
      continue
    }
    if (kind === 2) delete within[name]
    else if (kind === 3) within[name] = VALUES[random(VALUES.length)]
    else within[`${name}2`] = VALUES[random(VALUES.length)]
    return JSON.stringify(copy)
  }
}

/** Parses what may be damaged; `undefined` where the parser has refused it in one sentence without values. */
function accepted<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    expect(error).toBeInstanceOf(DamagedRecordError)
    expect((error as Error).message).toMatch(/^Expected [^\n]* in the storage\.$/)
    return undefined
  }
}

const whole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

describe('records of the storage', () => {
  it('are read as they were written', () => {
    expect(parseTicket(JSON.stringify(TICKET))).toEqual(TICKET)
    const traced = { ...TICKET, trace: `00-${'0a'.repeat(16)}-${'b7'.repeat(8)}-01` }
    expect(parseTicket(JSON.stringify(traced))).toEqual(traced)
    expect(parseOutputRecord(JSON.stringify(RECORD), id)).toEqual(RECORD)
    expect(parseAnswer(JSON.stringify({ job: TICKET.job, outcome: { error: ERROR } }))).toEqual({
      job: TICKET.job,
      outcome: { error: ERROR },
    })
    expect(parseWorkOutcome({ info: INFO, input: INFO })).toEqual({ info: INFO, input: INFO })
    const rotated = { ...RECORD, output: { ...RECORD.output, orientation: 6 } }
    expect(parseOutputRecord(JSON.stringify(rotated), id)).toEqual(rotated)
    const outcome = { info: INFO, input: INFO, orientation: 8 }
    expect(parseWorkOutcome(outcome)).toEqual(outcome)
    expect(parseWorkOutcome({ error: { ...ERROR, cause: 'why' } })).toEqual({
      error: { ...ERROR, cause: 'why', file: undefined },
    })
  })

  it.each([
    [{ ...TICKET, size: undefined }, "Expected a whole number of 1 or more for 'size' of a ticket in the storage."],
    [{ ...TICKET, size: '100' }, /'size' of a ticket/],
    [{ ...TICKET, size: 1e300 }, /'size' of a ticket/],
    [{ ...TICKET, id: '../../etc/passwd' }, /32 hexadecimal digits for 'id' of a ticket/],
    [{ ...TICKET, trace: 'planted' }, /a traceparent for 'trace' of a ticket/],
    [{ ...TICKET, more: 1 }, /no other members than job, server, id, size, trace/],
    [[TICKET], /Expected an object for a ticket/],
    [{ size: 100, id, server: TICKET.server, job: TICKET.job }, /the text of a server/],
  ])('refuse the ticket %j', (ticket, message) => {
    expect(() => parseTicket(JSON.stringify(ticket))).toThrow(message)
  })

  it('refuse a record that lies under the id of another one', () => {
    expect(() => parseOutputRecord(JSON.stringify(RECORD), 'cd'.repeat(16))).toThrow(
      failure('DamagedRecordError', 'is kept under'),
    )
  })

  it.each([1, 9, 6.5, '6', null])('refuse the orientation %j', (orientation) => {
    const record = { ...RECORD, output: { ...RECORD.output, orientation } }
    expect(() => parseOutputRecord(JSON.stringify(record), id)).toThrow(failure('DamagedRecordError', '2 to 8'))
  })

  it.each([
    [null, 0],
    [undefined, 0],
    ['17', 17],
    [17, 17],
  ])('hold the count %j', (value, count) => expect(parseCount(value)).toBe(count))

  it.each(['', 'NaN', '-1', '1e3', -1, 0.5, '99999999999999999', {}])('refuse the count %j', (value) => {
    expect(() => parseCount(value)).toThrow(failure('DamagedRecordError', '0', 'count'))
  })

  it('are whole or refused, however a thousand of each are damaged', () => {
    const random = randomNumbers(7)
    let refused = 0
    for (let times = 0; times < 1000; times++) {
      const ticket = accepted(() => parseTicket(damage(TICKET, random)))
      if (ticket === undefined) refused++
      else expect([ticket.size > 0, whole(ticket.size), ticket.id.length]).toEqual([true, true, 32])
      const record = accepted(() => parseOutputRecord(damage(RECORD, random), id))
      if (record === undefined) refused++
      else
        expect([record.expiresAt, record.input.size, record.output.size, record.output.width].every(whole)).toBe(true)
      const answer = accepted(() => {
        const text = damage({ job: TICKET.job, outcome: { info: INFO, input: INFO } }, random)
        return parseWorkOutcome(parseAnswer(text).outcome)
      })
      if (answer === undefined) refused++
      else if ('info' in answer)
        expect([answer.info.size, answer.info.width, answer.input.frames].every(whole)).toBe(true)
      accepted(() => parseWorkOutcome(JSON.parse(damagedJson({ error: ERROR }, random))))
    }
    expect(refused).toBeGreaterThan(2000)
  })
})

/** Damaged as `damage` does it, and JSON still. */
function damagedJson(value: unknown, random: (below: number) => number): string {
  for (;;) {
    const text = damage(value, random)
    try {
      JSON.parse(text)
      return text
    } catch {
      // The next one may be.
    }
  }
}
