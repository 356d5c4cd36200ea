import { describe, expect, it } from 'vitest'
import { parseLocation } from '../../src/metadata/location.ts'

describe('parseLocation', () => {
  it('reads minutes with places, and minutes with seconds', () => {
    expect(parseLocation('48,51.50400000N', '2,17.67E')).toEqual({
      latitudeRef: 'N',
      latitude: [[48, 1], [51_504, 1000], [0, 1]],
      longitudeRef: 'E',
      longitude: [[2, 1], [1767, 100], [0, 1]],
    }) // prettier-ignore
    expect(parseLocation('33,51,35.9s', '151,12,40W')).toEqual({
      latitudeRef: 'S',
      latitude: [[33, 1], [51, 1], [359, 10]],
      longitudeRef: 'W',
      longitude: [[151, 1], [12, 1], [40, 1]],
    }) // prettier-ignore
  })

  it('keeps numbers within 32 bits', () => {
    const { latitude } = parseLocation('0,59.99999999999999999999N', '0,0E')!
    expect(latitude[1]).toEqual([599_999_999, 10_000_000])
  })

  it.each([
    [undefined, '2,17E'],
    ['48,51N', undefined],
    ['48,51E', '2,17E'],
    ['48,51N', '2,17N'],
    ['91,0N', '2,17E'],
    ['48,51N', '181,0E'],
    ['48,60N', '2,17E'],
    ['48,51,60N', '2,17E'],
    ['48.8584', '2.2945'],
    ['', ''],
  ])('takes nothing from %j and %j', (latitude, longitude) => {
    expect(parseLocation(latitude, longitude)).toBeUndefined()
  })
})
