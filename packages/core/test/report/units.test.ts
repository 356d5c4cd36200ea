import { expect, it } from 'vitest'
import { formatBytes, formatChange, formatDuration } from '../../src/report/units.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [12_345, '12.3 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [1_234_567, '1.2 MB'],
  [999_950_000, '1.0 GB'],
  [5_000_000_000_000, '5000.0 GB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected)
})

it.each([
  [1000, 190, '-81%'],
  [1000, 1000, '0%'],
  [1000, 999, '0%'],
  [1000, 1001, '0%'],
  [1000, 1120, '+12%'],
  [100_000, 1, '-99%'],
  [100, 0, '-100%'],
  [0, 0, '0%'],
])('%i → %i is %s', (before, after, expected) => {
  expect(formatChange(before, after)).toBe(expected)
})

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [3210, '3.2 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_400, '2 min 5 s'],
])('%i milliseconds are %s', (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected)
})
