import { describe, expect, it } from 'vitest'
import { LINEAR, growth, processorTime } from '../src/index.ts'

const characters = (times: number): string => 'a'.repeat(3000 * times)

/** Fewer, as work that grows with the square is measured in every comparison. */
const fewer = (times: number): string => 'a'.repeat(1000 * times)

function linear(text: string): void {
  for (let round = 0; round < 200; round++) text.replaceAll('a', 'b')
}

function quadratic(text: string): void {
  for (let at = 0; at < text.length; at++) text.lastIndexOf('b', at)
}

describe('growth', () => {
  it('tells work that grows with the input from work that grows with its square', () => {
    expect(growth(characters, linear)).toBeLessThan(LINEAR)
    expect(growth(fewer, quadratic)).toBeGreaterThan(LINEAR)
  })
})

describe('processorTime', () => {
  it('counts work and no waiting', () => {
    const sleeper = new Int32Array(new SharedArrayBuffer(4))
    const waiting = processorTime(sleeper, (cell) => void Atomics.wait(cell, 0, 0, 200), 1)
    expect(waiting).toBeLessThan(150_000)
  })
})
