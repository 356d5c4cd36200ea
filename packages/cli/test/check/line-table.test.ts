import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createLineTable } from '../../src/check/line-table.ts'

const keyOf = (name: unknown): string => createHash('sha256').update(String(name)).digest('hex')
const tableOf = (lines: readonly string[]): ReturnType<typeof createLineTable> => {
  const head = 'what comes before\n'
  return createLineTable(Buffer.from(`${head}${lines.map((line) => `${line}\n`).join('')}`), head.length)
}

it('finds each of many lines by its key, and no other key', () => {
  const names = Array.from({ length: 5000 }, (_, index) => index)
  const table = tableOf(names.map((name) => `${keyOf(name)} rest of ${name}`))
  expect(table.length).toBe(5000)
  expect(names.filter((name) => table.find(keyOf(name)) !== name)).toEqual([])
  expect(names.filter((name) => table.find(keyOf(`other ${name}`)) !== undefined)).toEqual([])
  expect([table.keyOf(7), table.restOf(7)]).toEqual([keyOf(7), ' rest of 7'])
  expect(Buffer.from(table.bytesOf(4999)).toString()).toBe(`${keyOf(4999)} rest of 4999\n`)
})

it('tells keys apart that begin alike', () => {
  const [first, second] = ['aaaaaaaa0', 'aaaaaaaa1'].map((start) => start.padEnd(64, '0')) as [string, string]
  const table = tableOf([`${first} x`, `${second} y`])
  expect([table.find(first), table.find(second)]).toEqual([0, 1])
  expect(table.find('aaaaaaaa2'.padEnd(64, '0'))).toBeUndefined()
  expect(table.find('aaaaaaaa')).toBeUndefined()
})

it('finds the last of several lines with one key', () => {
  const table = tableOf([`${keyOf('a')} 1`, `${keyOf('b')} 2`, `${keyOf('a')} 3`])
  expect(table.restOf(table.find(keyOf('a'))!)).toBe(' 3')
})

it('finds nothing of a line that does not end, nor in nothing', () => {
  expect(tableOf([]).find(keyOf('a'))).toBeUndefined()
  expect(createLineTable(Buffer.alloc(0), 0).length).toBe(0)
  const cut = createLineTable(Buffer.from(`${keyOf('a')} 1\n${keyOf('b')} 2`), 0)
  expect([cut.find(keyOf('a')), cut.find(keyOf('b'))]).toEqual([0, undefined])
})
