import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../../src/index.ts'
import type { Operations, Optimizer, OptimizeResult } from '../../../src/index.ts'
import { svg } from './svg.ts'

const fixtures = new URL('../../fixtures/svg/', import.meta.url)
const hostile = new URL('../../../../../test/fixtures/hostile/svg/', import.meta.url)

const SIZE = 'viewBox="0 0 100 100" width="100" height="100"'

/** Milliseconds; the slowest takes two seconds on a machine that does nothing else. */
const BOUND = 30_000

let optimizer: Optimizer
beforeAll(() => {
  optimizer = createOptimizer({ limits: { timeout: BOUND } })
})
afterAll(() => optimizer.close())

const optimised = (source: string | Uint8Array, operations: Operations = {}): Promise<OptimizeResult> =>
  optimizer.optimize(Buffer.from(source), operations)

const key = (source: string | Uint8Array, operations?: Operations): string =>
  optimizer.plan(Buffer.from(source), operations).key

const textOf = ({ data }: OptimizeResult): string => Buffer.from(data).toString()

/** Two squares half seen through, the second of which begins at `x`. */
const squares = (x: number): string =>
  svg(`<!-- -->  <path d="M0 0h50v50H0z" opacity=".5"/>  <path d="M${x} 0h40v50H${x}z" opacity=".5"/>`, SIZE)

const fixture = (name: string): string => readFileSync(new URL(`${name}.svg`, fixtures), 'utf8')

describe('an optimised SVG', () => {
  it.each(
    readdirSync(fixtures)
      .filter((name) => name.startsWith('id-'))
      .map((name) => name.replace('.svg', '')),
  )('keeps the ids in use and the rules that name them: %s', async (name) => {
    const source = fixture(name)
    const result = textOf(await optimised(source))
    for (const [, id] of source.matchAll(/\sid="([^"]+)"/g)) {
      expect(result).toContain(`id="${id}"`)
      expect(result.split(`#${id}`)).toHaveLength(source.split(`#${id}`).length)
    }
  })

  it.each(['css-', 'class-', 'r-css', 'd-css', 'rect-css', 'transform-style'].map((prefix) => [prefix]))(
    'keeps every element and rule under style sheets: %s*',
    async (prefix) => {
      for (const name of readdirSync(fixtures).filter((each) => each.startsWith(prefix) && each !== 'css-nest.svg')) {
        const source = fixture(name.replace('.svg', ''))
        const result = textOf(await optimised(source))
        expect([name, tagsOf(result)]).toEqual([name, tagsOf(source)])
        expect([name, result.split(/[{}]/).length]).toEqual([name, source.split(/[{}]/).length])
      }
    },
  )

  it.each(['animate-href', 'animate-xlink', 'animatemotion-mpath', 'rect-anim', 'rect-anim-id', 'set-href'])(
    'keeps what is animated and by what: %s',
    async (name) => {
      const source = fixture(name)
      expect(attributesOf(textOf(await optimised(source)))).toEqual(attributesOf(source).filter(isUsed(source)))
    },
  )

  it('keeps the origin of transforms and the medium of a style sheet', async () => {
    expect(textOf(await optimised(fixture('transform-origin')))).toContain(
      'transform="rotate(45)" transform-origin="50 50"',
    )
    expect(textOf(await optimised(fixture('css-type')))).toContain(
      '<style type="text/css" media="print">.r{fill:red}</style>',
    )
  })

  it.each([
    ['foreign', 'HTML'],
    ['foreign-words', 'HTML'],
    ['text-prefix', 'prefixed elements'],
    ['onload', 'scripts'],
    ['data-attr-js', 'scripts'],
  ])('is the source where svgo would lose what it means: %s', async (name, reason) => {
    const source = fixture(name)
    const result = await optimised(source)
    expect([result.kept, textOf(result)]).toEqual(['input', source])
    expect(result.notes).toEqual([expect.stringContaining(reason)])
  })

  it('is the source in another encoding or with a document type of its own', async () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<text>caf\u00e9</text>')}`, 'latin1')
    expect(await optimised(latin)).toMatchObject({ kept: 'input', notes: [expect.stringContaining('ISO-8859-1')] })
    const entities =
      '<!DOCTYPE svg [<!ENTITY a "aaaa">]>\n<svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>\n'
    expect(await optimised(entities)).toMatchObject({ kept: 'input', notes: [expect.stringContaining('entities')] })
    const typed = `<!DOCTYPE svg [ <!ATTLIST path fill CDATA "red"> ]>${svg('<path   d="M0 0h9v9z"/>')}`
    expect(await optimised(typed)).toMatchObject({ kept: 'input', notes: [expect.stringContaining('document type')] })
  })

  it('is as small as before where it is a plain drawing', async () => {
    const group =
      '<g fill="none" stroke="#000000"><rect x="3.00" y="3" width="18" height="18"/><path d="M 3 9 L 21 9"/></g>'
    const { data, notes } = await optimised(svg(`<!-- x -->\n  <g>${group}</g>\n`, 'viewBox="0 0 24 24" id="i"'))
    expect(notes).toEqual([])
    expect(Buffer.from(data).toString()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" id="i" viewBox="0 0 24 24"><path fill="none" stroke="#000" d="M3 3h18v18H3zm0 6h18"/></svg>',
    )
  })

  it('has one path for several only where they do not overlap', async () => {
    expect(tagsOf(textOf(await optimised(squares(60))))).toEqual(['path', 'svg'])
    expect(tagsOf(textOf(await optimised(squares(30))))).toEqual(['path', 'path', 'svg'])
  })

  it('is as small as a plain drawing where all that it refers to is its own', async () => {
    const clipped = '<g clip-path="url(#c)"><g><rect fill="#123456" width="60" height="60"/></g></g>'
    const clip = '<defs><clipPath id="c"><rect width="50" height="50" fill="white"/></clipPath></defs>'
    const text = textOf(await optimised(svg(`${clipped}\n${clip}`, SIZE)))
    expect(tagsOf(text)).toEqual(['clipPath', 'defs', 'g', 'path', 'path', 'svg'])
    expect(text).toContain('id="c"')
    const outer = textOf(await optimised(svg(`${clipped}\n${clip}`.replace('<g>', '<g id="other">'), SIZE)))
    expect(tagsOf(outer)).toEqual(['clipPath', 'defs', 'g', 'g', 'rect', 'rect', 'svg'])
  })

  it('has paths of fewer segments also where its elements have to stay', async () => {
    const disc =
      'M50 10C72.09139 10 90 27.90861 90 50C90 72.09139 72.09139 90 50 90C27.90861 90 10 72.09139 10 50C10 27.90861 27.90861 10 50 10Z'
    const text = textOf(await optimised(svg(`<g id="other"><g></g><path class="a" d="${disc}"/><g></g></g>`, SIZE)))
    expect(text).toContain('<g id="other"><path class="a" d="M50 10a40 40 0 1 1 0 80 40 40 0 0 1 0-80"/></g>')
  })

  it('has no arc in the place of a curve that it would bend', async () => {
    const ring =
      'M11.9906 4.1957c-4.2998 0-7.7981 3.501-7.7981 7.8043s3.4983 7.8043 7.7981 7.8043c4.2999 0 7.7982-3.501 7.7982-7.8043s-3.4983-7.8043-7.7982-7.8043'
    const result = textOf(await optimised(svg(`<!-- a ring -->  <path d="${ring}"/>`, 'viewBox="0 0 24 24"')))
    expect(result).not.toMatch(/a[\d.]/)
    expect(result.length).toBeLessThan(svg(`<path d="${ring}"/>`, 'viewBox="0 0 24 24"').length)
  })

  it('has one decimal less where that cannot be seen at twice the usual size', async () => {
    const blob = 'M3.1234 4.5678c20.4321 3.8765 60.1357 9.2468 80.9753 30.8642s-9.1928 40.3746-50.5566 44.7788z'
    const text = textOf(await optimised(svg(`<!-- a blob -->  <path d="${blob}"/>`, SIZE)))
    expect(text).toMatch(/\d\.\d\d\b/)
    expect(text).not.toMatch(/\.\d{3}/)
    expect(textOf(await optimised(text))).toBe(text)
  })

  it('keeps its decimals where one less can be seen only from close by', async () => {
    // With three decimals instead of four, edges would move by 0.4 pixels of 1,024.
    const stairs = Array.from({ length: 20 }, (_, at) => `M${0.0444 + at * 0.0473} 0.0444v.9111h.0222v-.9111z`).join('')
    const size = 'viewBox="0 0 1 1" width="512" height="512"'
    const text = textOf(await optimised(svg(`<!-- stairs -->  <path d="${stairs}"/>`, size)))
    expect(text).toMatch(/\.\d{4}/)
  })

  it('keeps small coordinates apart', async () => {
    expect(textOf(await optimised(fixture('small-vb')))).toContain('cx=".05" cy=".05" r=".0123"')
    expect(textOf(await optimised(fixture('scaled-up')))).toContain('M12.3 12.3h76.5L45.6 77.7z')
  })

  it.each(['arc', 'css-two', 'id-mask', 'grad-href', 'rx'])('is the same once more: %s', async (name) => {
    const once = textOf(await optimised(fixture(name)))
    expect(textOf(await optimised(once))).toBe(once)
  })

  it('keeps what other documents may refer to, shown or hidden', async () => {
    const text = textOf(
      await optimised(
        svg(
          '<!-- --><defs><linearGradient id="shade"><stop offset="0"/></linearGradient></defs><symbol id="icon"><path d="M0 0h4v4z"/></symbol><g id="hidden" display="none"><path d="M1 1h2v2z"/></g>',
        ),
      ),
    )
    for (const id of ['shade', 'icon', 'hidden']) expect(text).toContain(`id="${id}"`)
    expect(text).not.toContain('<!--')
  })

  it('keeps its size attributes and its view box', async () => {
    const size = 'width="80" height="40" viewBox="0 0 40 20"'
    const result = await optimised(svg('<!-- --><path d="M0 0h4v4z"/>', size))
    expect(result.kept).toBe('output')
    for (const attribute of ['width="80"', 'height="40"', 'viewBox="0 0 40 20"']) {
      expect(textOf(result)).toContain(attribute)
    }
  })

  it.each([
    { resize: { method: 'scale', width: 10 } },
    { transform: { background: 'white' } },
    { convert: { type: 'image/png' } },
  ] as const)('is neither resized, flattened nor converted: %o is refused', async (operations) => {
    await expect(optimised(svg('<path d="M0 0h4v4z"/>'), operations)).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    })
  })

  it('is refused where it is no XML', async () => {
    await expect(optimised(svg('<path d="M0 0h4v4z">'))).rejects.toMatchObject({ code: 'DECODE_FAILED' })
    await expect(optimised(fixture('css-nest'))).rejects.toMatchObject({ code: 'DECODE_FAILED' })
  })

  it('takes bounded time, whatever it refers to', async () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`)
    const documents = [
      svg(`<g id="g0"><path/></g><!-- -->${levels.join('')}<use href="#g9"/>`, SIZE),
      svg(`<!-- -->${levels.join('').replaceAll('<use href="#', '<path mask="url(#').replaceAll('"/>', ')"/>')}`, SIZE),
      svg('<!-- --><path d="M0 0H100000000" stroke="#000" stroke-dasharray=".0001"/>', SIZE),
      svg(`<!-- -->${'<g opacity=".9">'.repeat(500)}<path d="M0 0h9"/>${'</g>'.repeat(500)}`, SIZE),
      svg(`<!-- -->${'<path d="M0 0h99" opacity=".5"/>'.repeat(5000)}`, SIZE),
      svg(
        `<!-- --><filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter>${'<path d="M0 0h99v9z" filter="url(#f)"/>'.repeat(150)}`,
        SIZE,
      ),
    ]
    for (const document of documents) expect((await optimised(document)).kept).toBe('output')
  })

  it('comes of hostile files without an error of ours', async () => {
    for (const name of readdirSync(hostile).filter((each) => each.endsWith('.svg'))) {
      const outcome = await optimised(readFileSync(new URL(name, hostile))).then(
        ({ kept }) => kept,
        ({ code }: { code: string }) => code,
      )
      expect([name, outcome]).toEqual([
        name,
        expect.stringMatching(/^(?:input|output|DECODE_FAILED|UNSUPPORTED_TYPE)$/),
      ])
    }
  })
})

const kept = async (source: string): Promise<string> => textOf(await optimised(source, { keepElements: true }))

const pointsOf = (result: string): number => / d="([^"]*)"/.exec(result)![1]!.match(/[a-z]/gi)!.length

const isLasting = (attribute: string): boolean => !attribute.startsWith('d=')

describe('an SVG that pages look inside', () => {
  const long = `<!-- ${'x'.repeat(99)} -->`

  it.each([
    [
      'rectangles of one colour',
      '<rect x="1" width="9" height="9" fill="#ccd"/><rect x="60" width="9" height="9" fill="#ccd"/>',
    ],
    ['paths of one colour', '<path d="M1 1h9v9z"/><path d="M60 1h9v9z"/>'],
    ['a colour that is the default', '<circle cx="24" cy="24" r="18" fill="#000000"/>'],
    ['colours as they are written', '<path d="M1 1h9v9z" fill="black" stroke="#FFFFFF"/>'],
    [
      'defaults that a context overrules',
      '<g fill-opacity=".3"><path d="M1 1h9v9z" fill-opacity="1" stroke="none"/></g>',
    ],
    ['classes', '<g class="a"><path class="b" d="M1 1h9v9z"/></g>'],
    ['ids that nothing inside uses', '<g id="floor"><path id="room" d="M1 1h9v9z"/></g>'],
    ['groups, empty ones as well', '<g><g/><path d="M1 1h9v9z"/></g>'],
    ['data for scripts', '<path data-room="1.50" d="M1 1h9v9z"/>'],
    ['roles and labels', '<path role="img" aria-label="a" d="M1 1h9v9z"/>'],
    [
      'transforms that do nothing, for scripts that change them',
      '<g transform="translate(0 0)"><g transform="scale(1)"><path transform="rotate(0)" d="M1 1h9v9z"/></g></g>',
    ],
    [
      'the list of transforms that scripts read',
      '<g transform="translate(10,20) rotate(30)"><path d="M1 1h9v9z"/></g>',
    ],
    [
      'style attributes as they are written',
      '<path style="fill: #FF0000;  stroke : rgb(0, 0, 255);" class="a  b" d="M1 1h9v9z"/>',
    ],
    ['numbers as they are written', '<circle cx="24.00" cy="0.5" r="18px" opacity="0.50" stroke-width="1.0"/>'],
    ['spaces and lines of data', '<path data-room=" a\n  b " aria-label="a  b" d="M1 1h9v9z"/>'],
  ])('keeps %s', async (_, content) => {
    const source = svg(long + content, SIZE)
    const result = await kept(source)
    expect(result.length).toBeLessThan(source.length - 99)
    expect(tagsOf(result)).toEqual(tagsOf(source))
    expect(attributesOf(result).filter(isLasting)).toEqual(attributesOf(source).filter(isLasting))
  })

  it('has shorter numbers and paths all the same', async () => {
    const source = svg('<path d="M1.000000 1.000000 L 9.000000 1.000000 L 9.000000 9.000000 Z"/>', SIZE)
    expect(await kept(source)).toContain('d="M1 1h8v8Z"')
  })

  it('has an empty element in the place of what editors left, so that others keep their places', async () => {
    const editors =
      'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:mine="https://mine.example/"'
    const notes =
      '<metadata id="m"><a>long</a></metadata><sodipodi:namedview id="v" pagecolor="#fff"><inkscape:grid/></sodipodi:namedview>'
    const layer = '<g inkscape:label="Hall" inkscape:groupmode="layer" mine:seats="9"><path d="M1 1h9v9z"/></g>'
    const text = await kept(svg(notes + layer, `${SIZE} ${editors}`))
    expect(text).toContain('<metadata id="m"/><metadata id="v"/><g inkscape:label="Hall" mine:seats="9"><path')
    expect(text).toContain('xmlns:inkscape=')
    expect(text).not.toContain('sodipodi')
  })

  it.each([
    ['an outline that closes at a corner', 'M10.00 10H60V60H10V10', 'M10 10h50v50H10V10'],
    ['an outline of curves that closes', 'M10.00 10C60 10 60 60 10 60C40 40 30 20 10 10Z', /z$/i],
    ['a line to the corner where it closes', 'M10.00 10H60V60L10 10.1V10Z', 'M10 10h50v50L10 10.1V10Z'],
    ['a dot', 'M10.00 10h0', 'M10 10h0'],
    ['a dot beside a line', 'M10.00 10h0M30 30H40', 'M10 10h0m20 20h10'],
  ])('has what a stroke of the page shows: %s', async (_, d, expected) => {
    const text = await kept(svg(`${long}<path d="${d}"/>`, SIZE))
    expect(/ d="([^"]*)"/.exec(text)?.[1]).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    )
    expect(text).not.toContain('style')
  })

  // The dent of coreui's cil-account-logout, 512 units wide.
  const dented =
    'M77.155 272.034H351.75v-32.001H77.155l75.053-75.053v-.001l-22.628-22.626-113.681 113.68.001.001h-.001L129.58 369.715l22.628-22.627v-.001z'
  const drawing = (content: string): string => svg(long + content, 'viewBox="0 0 512 512"')

  it('keeps points a thousandth apart, which the mitres of a stroke show', async () => {
    const d = `<path d="${dented}"/>`
    expect(pointsOf(await kept(drawing(d)))).toBe(pointsOf(drawing(d)))
    expect(pointsOf(textOf(await optimised(drawing(d))))).toBeLessThan(pointsOf(drawing(d)))
  })

  it('keeps them in a symbol, which no rendering shows', async () => {
    const sprite = drawing(`<symbol id="out"><path d="${dented}"/></symbol>`)
    expect(await kept(sprite)).toContain('v-.001')
  })

  it('is another result than the picture, and other types know nothing of it', () => {
    const source = svg('<path d="M0 0h9"/>', SIZE)
    expect(key(source, { keepElements: true })).not.toBe(key(source))
    expect(key(source, { keepElements: false })).toBe(key(source))
    const png = readFileSync(new URL('../../../../../examples/images/logo.png', import.meta.url))
    expect(key(png, { keepElements: true })).toBe(key(png))
  })
})

const path = (x: number, attributes = 'class="a"'): string => `<path ${attributes} d="M${x} 1h2v9z"/>`

const styled = (rules: string, content: string): string => svg(`<style>${rules}</style>${content}`, SIZE)

const pathsOf = async (source: string, operations?: Operations): Promise<number> =>
  textOf(await optimised(source, operations)).split('<path').length - 1

describe('paths under rules for classes', () => {
  const apart = [10, 20, 30, 40].map((x) => path(x)).join('')

  it('become one where they are apart', async () => {
    const source = styled('.a{fill:red}.b{fill:blue}', `${apart}${path(60, 'class="b"')}${path(70, 'class="b"')}`)
    expect(await pathsOf(source)).toBe(2)
    expect(await pathsOf(source, { keepElements: true })).toBe(6)
  })

  it.each([
    ['a rule counts them', '.a{fill:red}.a:nth-child(odd){fill:blue}'],
    ['a rule is about neighbours', '.a{fill:red}.a+.a{fill:blue}'],
    ['a rule is about groups', '.a{fill:red}g .a{fill:blue}'],
    ['a rule is about a state', '.a{fill:red}.a:hover{fill:blue}'],
  ])('stay where %s', async (_, rules) => {
    expect(await pathsOf(styled(rules, apart))).toBe(4)
  })

  it('become one in the parts of a drawing that look the same, if the whole would not', async () => {
    const rows = Array.from({ length: 24 }, (_, at) => path(3 * at)).join('')
    // Between two that touch, the ground shines through.
    const touching = Array.from({ length: 8 }, (_, at) => path(74.1 + 2 * at)).join('')
    const source = styled('.a{fill:#000}', rows + touching)
    const count = await pathsOf(source)
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThan(20)
  })
})

it('has no score, as its pixels are not compared by one', async () => {
  for (const operations of [{}, { keepElements: true }]) {
    const result = await optimised(squares(60), operations)
    expect([result.kept, result.score]).toEqual(['output', undefined])
  }
})

describe("svgo's own configuration", () => {
  const drawing = svg('<title>t</title><path d="M1.23456 0h9v9z"/>', 'viewBox="0 0 100 100" width="100" height="100"')

  it('has its plugins in the place of ours', async () => {
    const result = await optimised(drawing, { svgo: { plugins: ['removeTitle'] } })
    expect(textOf(result)).toBe(drawing.replace('<title>t</title>', ''))
  })

  it('has its other settings beside our plugins', async () => {
    const precise = textOf(await optimised(drawing, { svgo: { floatPrecision: 5 } }))
    expect(precise).toContain('M1.23456 ')
    const pretty = textOf(
      await optimised(`${drawing}<!-- long enough to be worth it: ${'x'.repeat(99)} -->`, {
        svgo: { js2svg: { pretty: true } },
      }),
    )
    expect(pretty).toContain('\n    <path')
    const merged = textOf(await optimised(squares(60), { svgo: { js2svg: { pretty: true } } }))
    expect(merged).toMatch(/^<svg .*>\n +<path .*\/>\n<\/svg>\s*$/)
  })

  it('reaches scripted documents, which are its own decision', async () => {
    const scripted = svg('<script>1</script><path d="M0 0h9"/>', SIZE)
    expect(textOf(await optimised(scripted, { svgo: { plugins: ['removeScripts'] } }))).not.toContain('script')
  })

  it('cannot make a result that looks different', async () => {
    const svgo: Operations['svgo'] = { plugins: [{ name: 'removeAttrs', params: { attrs: 'fill' } }] }
    const red = svg('<path fill="red" d="M0 0h90v90z"/>', SIZE)
    expect(await optimised(red, { svgo })).toMatchObject({
      kept: 'input',
      notes: [expect.stringContaining('look different')],
    })
  })

  it('says so where the look cannot be compared', async () => {
    const result = await optimised(svg('<title>t</title><path d="M0 0h9v9z"/>'), { svgo: { plugins: ['removeTitle'] } })
    expect(result).toMatchObject({ kept: 'output', notes: [expect.stringContaining('without comparing')] })
  })

  it('is said to be wrong where svgo fails with it', async () => {
    const svgo = { plugins: [{ name: 'removeComments', params: { preservePatterns: 'x' } }] } as never
    await expect(optimised(svg('<!-- a --><path/>', SIZE), { svgo })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining("the option 'svgo'") as string,
    })
  })

  it('is part of the identity of SVG inputs alone', () => {
    const one = key(drawing, { svgo: { multipass: false, floatPrecision: 2 } })
    expect(one).not.toBe(key(drawing))
    expect(one).not.toBe(key(drawing, { svgo: { multipass: false, floatPrecision: 3 } }))
    expect(one).toBe(key(drawing, { svgo: { floatPrecision: 2, multipass: false } }))
    expect(key(drawing, { svgo: {} })).toBe(key(drawing))
    const gif = readFileSync(new URL('../spinner.gif', fixtures))
    expect(key(gif, { svgo: { floatPrecision: 2 } })).toBe(key(gif))
  })
})

const tagsOf = (document: string): string[] => [...document.matchAll(/<([a-z]\w*)/gi)].map(([, name]) => name!).sort()

const attributesOf = (document: string): string[] =>
  [...document.matchAll(/\s([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`).sort()

/** The namespace of XLink may be removed if nothing uses it. */
const isUsed =
  (document: string) =>
  (attribute: string): boolean =>
    !attribute.startsWith('xmlns:xlink') || document.includes('xlink:href')
