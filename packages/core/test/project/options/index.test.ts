import { readdir } from 'node:fs/promises'
import { OPTION_SAMPLES } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { PROJECT_OPTIONS } from '../../../src/project/options/index.ts'
import * as LIST from '../../../src/project/options/list.ts'

const FOLDER = new URL('../../../src/project/options/', import.meta.url)

/** Files of the folder that hold no option. */
const OTHERS = ['index.ts', 'list.ts', 'option.ts']

const fileOf = (key: string): string => `${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`

describe('the list of options', () => {
  it('has a line for each file of the folder', async () => {
    const files = (await readdir(FOLDER)).filter((file) => !OTHERS.includes(file))
    expect(Object.keys(LIST).map(fileOf).toSorted()).toEqual(files.toSorted())
  })

  it('gives each option a place of its own', () => {
    const places = Object.values(LIST).map(({ place }) => place)
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
  })
})

describe('PROJECT_OPTIONS', () => {
  it('has the operations in their order, then the other options by their places', () => {
    const own = Object.entries(LIST).filter(([key]) => !(key in OPERATIONS))
    const byPlace = own.toSorted(([, a], [, b]) => a.place - b.place).map(([key]) => key)
    expect(Object.keys(PROJECT_OPTIONS)).toEqual([...Object.keys(OPERATIONS), ...byPlace])
  })

  it.each(Object.keys(PROJECT_OPTIONS) as (keyof typeof PROJECT_OPTIONS)[])('reads and checks %s', (name) => {
    const { parser } = PROJECT_OPTIONS[name]
    const { valid, canonical = valid[0], invalid } = OPTION_SAMPLES[name]
    expect(parser.parse(valid[0], name)).toEqual(canonical)
    expect(() => parser.parse(valid[1], name)).not.toThrow()
    expect(() => parser.parse(invalid, name)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it("takes a project's words for an operation before the operation's own", () => {
    expect(PROJECT_OPTIONS.convert.parser.parse('auto', 'convert')).toBe('auto')
    expect(() => OPERATIONS.convert.parser.parse('auto', 'convert')).toThrow("'convert'")
  })
})
