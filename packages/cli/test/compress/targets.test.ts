import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InputType } from '@pixpress/core'
import { createTargets } from '../../src/compress/targets.ts'

const at = (file: string): string => path.resolve('/site', file)
const inputs = (...files: string[]): { file: string; place: string }[] =>
  files.map((file) => ({ file: at(file), place: file }))

const target = (files: string[], to: InputType, out?: string, from: InputType = 'image/png'): string[] => {
  const all = inputs(...files)
  const targetOf = createTargets(all, out === undefined ? undefined : at(out))
  return all.map((input) =>
    path
      .relative(at(''), targetOf(input, from, to))
      .split(path.sep)
      .join('/'),
  )
}

describe('createTargets', () => {
  it('keeps the name of what keeps its type, whatever extension it has', () => {
    expect(target(['a.PNG', 'b.jpg'], 'image/png')).toEqual(['a.PNG', 'b.jpg'])
    expect(target(['x/a.PNG'], 'image/png', 'out')).toEqual(['out/x/a.PNG'])
    expect(target(['a.apng'], 'image/png')).toEqual(['a.apng'])
    expect(target(['a.pjpeg', 'b.jfif'], 'image/jpeg', undefined, 'image/jpeg')).toEqual(['a.pjpeg', 'b.jfif'])
  })

  it('gives another type its extension', () => {
    expect(target(['x/a.png'], 'image/webp')).toEqual(['x/a.webp'])
    expect(target(['a.jfif', 'b.pjpeg'], 'image/webp', undefined, 'image/jpeg')).toEqual(['a.webp', 'b.webp'])
    expect(target(['x/a.b.png', 'none'], 'image/jpeg', 'out')).toEqual(['out/x/a.b.jpg', 'out/none.jpg'])
  })

  it('tells apart what would become one', () => {
    expect(target(['a.png', 'a.jpg', 'b/a.png'], 'image/webp')).toEqual(['a_png.webp', 'a_jpg.webp', 'b/a.webp'])
    expect(target(['a.png', 'A.jpg'], 'image/webp')).toEqual(['a_png.webp', 'A_jpg.webp'])
  })

  it('refuses two files with one place', () => {
    const both = [
      { file: at('x/a.png'), place: 'a.png' },
      { file: at('y/a.png'), place: 'a.png' },
    ]
    expect(() => createTargets(both, at('out'))).toThrow(/x.a\.png'.*y.a\.png'.*'.*out.a\.png'/)
    expect(() => createTargets(both, undefined)).not.toThrow()
  })
})
