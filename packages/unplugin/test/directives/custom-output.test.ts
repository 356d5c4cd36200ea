import { describe, expect, it } from 'vitest'
import { renderCustom, resolveOutputs } from '../../src/directives/custom-output.ts'
import type { CustomOutput } from '../../src/directives/custom-output.ts'

const IMAGES = [
  { width: 300, height: 200, format: 'avif', size: 9 },
  { width: 600, height: 400, format: 'avif', size: 18 },
]
const SOURCES = ['"/a.avif"', 'import.meta.ROLLUP_FILE_URL_b']

const render = (output: CustomOutput, keys: readonly string[] = [], named = true): string =>
  renderCustom({ name: 'list', output, keys, named }, IMAGES, SOURCES)

const described: CustomOutput = ([one], keys) => ({ src: one!.src, size: one!.size, keys, none: null, empty: '' })

describe('renderCustom', () => {
  it('puts the URLs where the function put them, whatever the bundler makes of them', () => {
    expect(render((images) => images.map(({ src, width }) => `url(${src}) ${width}w`))).toBe(
      'export default ["url(/a.avif) 300w", "url(" + import.meta.ROLLUP_FILE_URL_b + ") 600w"];\n',
    )
    expect(render(([one]) => one!.src)).toBe('export default "/a.avif";\n')
    expect(render(([, two]) => two!.src)).toBe('export default import.meta.ROLLUP_FILE_URL_b;\n')
  })

  it('exports the members of an object by name, unless they are no names or nobody wants them', () => {
    const code =
      'const src = "/a.avif";\nexport const size = 9;\nexport const keys = ["x"];\nexport const none = null;\n'
    expect(render(described, ['x'])).toBe(
      `export ${code}export const empty = "";\nexport default { src, size, keys, none, empty };\n`,
    )
    expect(render(described, ['x'], false)).toMatch(/^export default \{ src: "\/a\.avif", size: 9/)
    expect(render(() => ({ default: 1, 'a-b': 2 }))).toBe('export default { default: 1, "a-b": 2 };\n')
  })

  it.each([() => new Map(), () => ({ a: () => 1 }), () => 5n, () => Number.NaN])(
    'refuses what is no data',
    (output) => {
      expect(() => render(output)).toThrow(/Expected data from 'outputs\.list'/)
    },
  )
})

describe('resolveOutputs', () => {
  it('refuses names that are taken, and what is no function', () => {
    expect(resolveOutputs()).toEqual({})
    expect(() => resolveOutputs({ picture: () => 1 })).toThrow(/'outputs\.picture'/)
    expect(() => resolveOutputs({ 'a;b': () => 1 })).toThrow(/'outputs\.a;b'/)
    expect(() => resolveOutputs({ list: 'x' })).toThrow(/Expected a function for 'outputs\.list'/)
    expect(() => resolveOutputs([])).toThrow(/Expected an object for 'outputs'/)
  })
})
