import type { InputType } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { supersededTypes, withoutHeavier } from '../../src/directives/superseded.ts'

const image = (name: string, width: number, size?: number) => ({
  type: `image/${name}` as InputType,
  width,
  ...(size !== undefined && { size }),
})

describe('types that a later one supersedes', () => {
  it('are none as long as bytes are not known', () => {
    expect([...supersededTypes(['image/webp', 'image/jpeg'], [image('webp', 9), image('jpeg', 9, 5)])]).toEqual([])
  })

  it('are none where no width is common', () => {
    expect([...supersededTypes(['image/webp', 'image/jpeg'], [image('webp', 9, 8), image('jpeg', 5, 5)])]).toEqual([])
  })

  it('are compared over common widths alone', () => {
    const images = [image('webp', 9, 8), image('jpeg', 9, 8), image('jpeg', 20, 80)]
    expect([...supersededTypes(['image/webp', 'image/jpeg'], images)]).toEqual(['image/webp'])
  })
})

describe('images that take fewer bytes than wider ones', () => {
  it('are all of them as long as bytes are not known', () => {
    const images = [image('png', 5), image('png', 9, 4)]
    expect(withoutHeavier(images)).toEqual(images)
  })

  it('are those that no wider one takes as few bytes as', () => {
    const images = [image('png', 5, 8), image('png', 9, 9), image('png', 20, 9), image('png', 40, 12)]
    expect(withoutHeavier(images).map(({ width }) => width)).toEqual([5, 20, 40])
  })
})
