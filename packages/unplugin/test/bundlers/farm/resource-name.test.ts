import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { resourceName } from '../../../src/bundlers/farm/resource-name.ts'

const data = Buffer.from('bytes')
const hash = createHash('sha256').update(data).digest('hex').slice(0, 8)
const mark = createHash('sha256').update('src/a.png').digest('hex').slice(0, 6)

describe('resourceName', () => {
  it.each([
    ['[resourceName].[ext]', `photo-${mark}.webp`],
    ['[resourceName].[contentHash].[ext]', `photo.${hash}-${mark}.webp`],
    ['img/[name].[hash].[ext]', `img/photo.${hash}-${mark}.webp`],
    ['[contentHash]', `${hash}-${mark}`],
  ])('fills %s', (template, expected) => {
    expect(resourceName(template, 'photo.webp', data, 'src/a.png')).toBe(expected)
  })

  it('keeps the images of one name apart by their modules', () => {
    const names = ['src/a.png', 'src/a.jpg'].map((owner) => resourceName('[name].[ext]', 'a.webp', data, owner))
    expect(names[0]).not.toBe(names[1])
  })
})
