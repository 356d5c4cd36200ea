import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { OutputRecord } from '../../src/index.ts'
import { DamagedRecordError, parseCount, parseOutputRecord } from '../../src/storage/stored-records.ts'

const id = 'ab'.repeat(16)
const RECORD: OutputRecord = {
  id,
  account: 'shop',
  createdAt: 1_000,
  expiresAt: 2_000,
  input: { type: 'image/png', size: 300 },
  output: { type: 'image/svg+xml', size: 0, width: 3, height: 4 },
}

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
    expect(parseOutputRecord(JSON.stringify(RECORD), id)).toEqual(RECORD)
    const rotated = { ...RECORD, output: { ...RECORD.output, orientation: 6 } }
    expect(parseOutputRecord(JSON.stringify(rotated), id)).toEqual(rotated)
  })

  it.each([
    [{ ...RECORD, expiresAt: undefined }, /^Expected a whole number of 0 or more for 'expiresAt' of the record/],
    [{ ...RECORD, createdAt: '100' }, /'createdAt' of the record/],
    [{ ...RECORD, expiresAt: 1e300 }, /'expiresAt' of the record/],
    [{ ...RECORD, id: '../../etc/passwd' }, /32 hexadecimal digits for 'id' of the record/],
    [{ ...RECORD, input: { type: 'text/html', size: 1 } }, /a type of image for 'type' of 'input' of the record/],
    [{ ...RECORD, more: 1 }, /no other members than id, account, createdAt, expiresAt, input, output/],
    [[RECORD], /Expected an object for the record/],
  ])('refuse the record %j', (record, message) => {
    expect(() => parseOutputRecord(JSON.stringify(record), id)).toThrow(message)
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

  it('are whole or refused, however a thousand of them are damaged', () => {
    const random = randomNumbers(7)
    let refused = 0
    for (let times = 0; times < 1000; times++) {
      const record = accepted(() => parseOutputRecord(damage(RECORD, random), id))
      if (record === undefined) refused++
      else
        expect([record.expiresAt, record.input.size, record.output.size, record.output.width].every(whole)).toBe(true)
    }
    expect(refused).toBeGreaterThan(600)
  })
})
