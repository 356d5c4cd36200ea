import { describe, expect, it } from 'vitest'
import { sizesOf } from '../../src/rules/advice.ts'
import type { Drawn } from '../../src/rules/advice.ts'

/** One element in several windows, at one pixel each. */
const drawn = (widths: Readonly<Record<number, number>>): Drawn[] =>
  Object.entries(widths).map(([window, width]) => ({ window: Number(window), width, needed: width, ratio: 1 }))

describe('sizesOf', () => {
  it('follows windows that are filled, and names the pixels in others', () => {
    expect(sizesOf(drawn({ 390: 390, 768: 600, 1280: 600 }))).toBe('(max-width: 390px) 100vw, 600px')
    expect(sizesOf(drawn({ 390: 358.4 }))).toBe('92vw')
    expect(sizesOf(drawn({ 390: 390.4, 768: 768.2 }))).toBe('100vw')
  })

  it('names the pixels of an image that is wider than its window', () => {
    expect(sizesOf(drawn({ 390: 1440, 768: 1440, 1280: 1440 }))).toBe('1440px')
    expect(sizesOf(drawn({ 390: 1000, 768: 1000, 1280: 1280 }))).toBe('(max-width: 768px) 1000px, 100vw')
    expect(sizesOf(drawn({ 390: 585, 768: 1152 }))).toBe('(max-width: 390px) 585px, 1152px')
    expect(sizesOf(drawn({ 390: 422 }))).toBe('422px')
  })

  it('adds the length by which an image stands out of every window', () => {
    expect(sizesOf(drawn({ 390: 422, 768: 800 }))).toBe('calc(100vw + 32px)')
    expect(sizesOf(drawn({ 390: 421.7, 768: 800.1, 1280: 600 }))).toBe('(max-width: 768px) calc(100vw + 32px), 600px')
  })
})
