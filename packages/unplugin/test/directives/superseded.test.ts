import type { InputType } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { supersededTypes } from '../../src/directives/superseded.ts'

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
