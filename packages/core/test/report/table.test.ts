import { stripVTControlCharacters } from 'node:util'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { renderReport } from '../../src/report/table.ts'
import type { TableStyle } from '../../src/report/terminal.ts'
import { textWidth } from '../../src/report/text-width.ts'
import { image, reportOf } from './images.ts'

const plain: TableStyle = { width: 79, color: false, full: false }
const lines = (...text: string[]): string => text.join('\n')

const mixed = reportOf([
  image('src/assets/photos/hero.jpg', 1_234_567, 230_100),
  image('src/写真.png', 12_300, 8_100, { type: 'image/png', cached: true }),
  image('public/icon.svg', 1_000, 512, { type: 'image/svg+xml' }),
  image('b.png', 1_000, 5_000, { type: 'image/webp' }),
])

const placed = (name: string, rest: Parameters<typeof image>[3] = {}): ReturnType<typeof image> =>
  image(`../examples/images/${name}`, 740_200, 139_200, rest)
const inTypes = (name: string): ReturnType<typeof image>[] =>
  [480, 960].flatMap((width) => [placed(name, { width }), placed(name, { width, type: 'image/webp' })])
const firstRows = (images: ReturnType<typeof image>[]): string[] =>
  renderReport(reportOf(images), { ...plain, width: 43 })
    .split('\n')
    .slice(1, 3)

describe('table', () => {
  it('has a row for each image, most saved first', () => {
    expect(renderReport(mixed, plain)).toBe(
      lines(
        'pixpress  4 images  1 cached  3.2 s',
        '  src/assets/photos/hero.jpg  avif   1.2 MB → 230.1 kB   -81%',
        '  src/写真.png                png   12.3 kB →   8.1 kB   -34%  cached',
        '  public/icon.svg             svg    1.0 kB →    512 B   -49%',
        '  b.png                       webp   1.0 kB →   5.0 kB  +400%',
      ),
    )
  })

  it('orders equal savings by path', () => {
    const report = reportOf([image('c.jpg', 20, 10), image('a.jpg', 30, 20), image('b.jpg', 40, 29)])
    const paths = renderReport(report, plain).match(/[abc]\.jpg/g)
    expect(paths).toEqual(['b.jpg', 'a.jpg', 'c.jpg'])
  })

  it('says that a smaller encoding would lose detail again', () => {
    const kept = { kept: 'input', reason: 'second-loss' } as const
    const one = renderReport(reportOf([image('a.jpg', 900, 900, kept)]), { ...plain, width: 119 })
    expect(one).toMatch(/\n {2}1 image .*although/)
    const two = renderReport(reportOf([image('a.jpg', 900, 900, kept), image('b.jpg', 900, 890, kept)]), plain)
    expect(two).toMatch(/\n {2}2 images .*although/)
    expect(two).toMatch(/a\.jpg,\s+b\.jpg\.$/)
    expect(renderReport(reportOf([image('a.jpg', 9, 9, { kept: 'input' })]), plain)).not.toContain('although')
  })

  it('names the heaviest files that it speaks of, and where the others are listed', () => {
    const kept = { kept: 'input', reason: 'second-loss' } as const
    const names = ['a', 'b', 'c', 'd', 'e'].map((name, at) => image(`${name}.jpg`, 900 + at, 900 + at, kept))
    const wide = { ...plain, width: 400 }
    expect(renderReport(reportOf(names), wide)).toMatch(
      /5 images .*: e\.jpg, d\.jpg, c\.jpg and 2 more \(PIXPRESS_REPORT=full lists them\)\.$/,
    )
    expect(renderReport(reportOf(names), { ...wide, fullBy: '--full' })).toMatch(/and 2 more \(--full lists them\)\.$/)
    const widths = [image('a.jpg', 900, 900, { ...kept, width: 1 }), image('a.jpg', 900, 890, { ...kept, width: 2 })]
    expect(renderReport(reportOf(widths), wide)).toEqual(naming('1 image', 'a.jpg'))
  })

  it('lists what a run has replaced, also where everything came from the cache', () => {
    const replaced = [
      image('a.jpg', 900, 400, { cached: true, written: true }),
      image('b.jpg', 900, 900, { cached: true, written: false, kept: 'input' }),
    ]
    expect(renderReport(reportOf(replaced), plain)).toMatch(/\n {2}a\.jpg .*-56%  cached\n/)
    const none = replaced.map((each) => ({ ...each, written: false }))
    expect(renderReport(reportOf(none), plain)).toMatch(/^pixpress {2}2 images, all cached .*$/)
  })

  it('says below each image why it is no smaller, where all are shown', () => {
    const report = reportOf([
      image('a.jpg', 900, 900, { kept: 'input', why: { because: 'smallest' } }),
      image('b.jpg', 900, 400),
    ])
    const full = renderReport(report, { ...plain, full: true })
    expect(full).toMatch(/\n {2}a\.jpg .*\n {4}\S.*$/)
    expect(renderReport(report, plain)).not.toContain('Nothing clearly')
  })

  it('ends with a hint, wrapped and without escape sequences', () => {
    const text = renderReport(
      reportOf([image('a.jpg', 900, 800)]),
      { ...plain, width: 39 },
      'A \u001B[2Jhint longer-than-one-narrow line.',
    )
    expect(text.split('\n').slice(-2)).toEqual([String.raw`  A \x1b[2Jhint longer-than-one-narrow`, '  line.'])
  })

  it('puts the widths of one source and type in one row, which has those of the largest', () => {
    const sizes = [
      image('a.jpg', 90_000, 40_000, { width: 1280 }),
      image('a.jpg', 90_000, 10_000, { width: 640, cached: true }),
      image('a.jpg', 90_000, 45_000, { width: 1280, type: 'image/webp' }),
      image('b.jpg', 90_000, 80_000),
    ]
    expect(renderReport(reportOf(sizes), plain)).toEqual(
      naming(
        'pixpress  4 images  1 cached  3.2 s',
        '  a.jpg 640-1280w  avif  90.0 kB → 40.0 kB  -56%',
        '  a.jpg 1280w      webp  90.0 kB → 45.0 kB  -50%',
        '  b.jpg            avif  90.0 kB → 80.0 kB  -11%',
        '175.0 kB',
      ),
    )
    const full = renderReport(reportOf(sizes), { ...plain, full: true })
    expect(full).toContain('a.jpg 640w')
    expect(full).toContain('a.jpg 1280w')
  })

  it('has a row for each of two pictures of one source, type and width', () => {
    const crops = [image('a.jpg', 90_000, 40_000, { width: 640 }), image('a.jpg', 90_000, 30_000, { width: 640 })]
    const rows = renderReport(reportOf(crops), plain).split('\n')
    expect(rows.filter((row) => row.startsWith('  a.jpg  avif'))).toHaveLength(2)
  })

  it('shows no width if a source has one alone, as its file and a converted copy do', () => {
    const copies = [image('a.png', 90_000, 60_000, { type: 'image/png' }), image('a.png', 90_000, 40_000)]
    expect(renderReport(reportOf(copies), plain)).toEqual(naming('  a.png  avif', '  a.png  png '))
  })

  it('does with 40 columns by dropping cells and shortening paths', () => {
    expect(renderReport(mixed, { ...plain, width: 39 })).toBe(
      lines(
        'pixpress  4 images  1 cached  3.2 s',
        '  …/hero.jpg   1.2 MB → 230.1 kB   -81%',
        '  …/写真.png  12.3 kB →   8.1 kB   -34%',
        '  …/icon.svg   1.0 kB →    512 B   -49%',
        '  b.png        1.0 kB →   5.0 kB  +400%',
      ),
    )
  })

  it('leaves names readable on narrow terminals, where types or bytes before go first', () => {
    expect(firstRows([placed('fig.jpg'), placed('a-photograph-of-mountains.jpg')])).toEqual([
      '  a-pho…ains.jpg  740.2 kB → 139.2 kB  -81%',
      '  …/fig.jpg       740.2 kB → 139.2 kB  -81%',
    ])
    expect(firstRows(inTypes('mountains.jpg'))).toEqual([
      '  mo…s.jpg 480-960w  avif  → 139.2 kB  -81%',
      '  mo…s.jpg 480-960w  webp  → 139.2 kB  -81%',
    ])
  })

  it('fits and aligns at every width', () => {
    const failures = [{ source: `${'x'.repeat(200)}.png`, code: 'TIMEOUT' as const, message: 'w'.repeat(300) }]
    const report = reportOf(
      [...mixed.images, image(`${'日本/'.repeat(30)}x.png`, 999_900_000, 999_800_000, { cached: true })],
      failures,
      3_599_000,
    )
    for (let width = 39; width <= 140; width++) {
      const rendered = renderReport(report, { ...plain, width }).split('\n')
      for (const line of rendered) expect(textWidth(line)).toBeLessThanOrEqual(width)
      const arrows = rendered
        .filter((line) => /^ {2}\S.* → /.test(line))
        .map((line) => textWidth(line.slice(0, line.indexOf(' → '))))
      expect(arrows).toHaveLength(5)
      expect(new Set(arrows).size).toBe(1)
    }
  })

  it('shows 40 rows, or all when asked', () => {
    const many = reportOf(Array.from({ length: 43 }, (_, index) => image(`${index}.jpg`, 1000 + index, 500)))
    const rendered = renderReport(many, plain).split('\n')
    expect(rendered).toHaveLength(1 + 40 + 1)
    expect(rendered[1]).toMatch(/^ {2}42\.jpg /)
    expect(rendered[40]).toMatch(/^ {2}3\.jpg /)
    expect(rendered[41]).toBe('  … and 3 more')
    const full = renderReport(many, { ...plain, full: true })
    expect(full.split('\n')).toHaveLength(1 + 43)
    expect(full).not.toContain('more')
  })

  it('colours without moving anything', () => {
    const colored = renderReport(mixed, { ...plain, color: true })
    expect(colored).toContain('\u001B[32m -81%\u001B[39m')
    expect(colored).toContain('\u001B[33m+400%\u001B[39m')
    expect(stripVTControlCharacters(colored)).toBe(renderReport(mixed, plain))
  })

  it('lets no escape sequence of a file name through', () => {
    const report = reportOf([image('a\u001B[2J\n\u202Egnp.jpg', 2000, 1000)])
    expect(renderReport(report, plain)).toBe(
      lines('pixpress  1 image  3.2 s', String.raw`  a\x1b[2J\x0a\u202egnp.jpg  avif  2.0 kB → 1.0 kB  -50%`),
    )
  })
})

describe('summary', () => {
  const cached = reportOf(
    mixed.images.map((entry) => ({ ...entry, cached: true })),
    [],
    85,
  )

  it('takes the place of the table when every image was cached', () => {
    expect(renderReport(cached, plain)).toBe('pixpress  4 images, all cached  1.2 MB → 243.7 kB  -80%  85 ms')
    expect(renderReport(cached, { ...plain, width: 39 })).toBe(
      lines('pixpress  4 images, all cached', '  1.2 MB → 243.7 kB  -80%  85 ms'),
    )
  })

  it('gives way to the table when everything is asked for', () => {
    const rendered = renderReport(cached, { ...plain, full: true }).split('\n')
    expect(rendered).toHaveLength(5)
    expect(rendered[0]).toBe('pixpress  4 images  4 cached  85 ms')
  })
})

describe('broken images', () => {
  const failures = [
    { source: 'src/b.png', code: 'DECODE_FAILED', message: 'The image data\n  is truncated \u001B[2J.' },
    { source: 'src/a\u0007.png', code: 'INPUT_MISSING', message: 'The image is empty (0 bytes).' },
  ] as const

  it('have a section of their own', () => {
    expect(renderReport(reportOf([image('c.jpg', 2000, 1000)], [...failures]), plain)).toEqual(
      naming(
        'pixpress  1 image  3.2 s',
        'c.jpg  avif  2.0 kB → 1.0 kB  -50%',
        '2 broken',
        String.raw`  src/a\x07.png`,
        '0 bytes',
        'src/b.png',
        String.raw`data is truncated \x1b[2J.`,
      ),
    )
  })

  it('are the whole report where there is nothing else, and are wrapped on narrow terminals', () => {
    expect(renderReport(reportOf([], [failures[1]]), { ...plain, width: 39 })).toEqual(
      naming('1 broken', String.raw`  src/a\x07.png`, '0 bytes'),
    )
  })

  it('are cut off after 40', () => {
    const many = Array.from({ length: 42 }, (_, index) => ({ ...failures[1], source: `${index}.png` }))
    const rendered = renderReport(reportOf([], many), plain).split('\n')
    expect(rendered).toHaveLength(1 + 40 + 2)
    expect(rendered.slice(-2)).toEqual(['  … and 2 more', expect.stringContaining('0 bytes')])
    const all = renderReport(reportOf([], many), { ...plain, full: true }).split('\n')
    expect(all).toHaveLength(1 + 42 + 1)
    expect(all.at(-1)).toEqual(naming('0 bytes', 'INPUT_MISSING'))
  })

  it('are the damaged ones alone: other failures have groups of their own', () => {
    const other = [
      {
        source: 'a.heic',
        code: 'UNSUPPORTED_TYPE',
        message: 'HEIC pictures cannot be read. Export it as JPEG or PNG.',
      },
      {
        source: 'b.heic',
        code: 'UNSUPPORTED_TYPE',
        message: 'HEIC pictures cannot be read. Export it as JPEG or PNG.',
      },
      { source: 'c.jpg', code: 'BELOW_PROMISE', message: 'Left there.' },
      { source: 'd.jpg', code: 'TIMEOUT', message: 'Took longer.' },
      { source: 'e.jpg', code: 'IO_FAILED', message: "'e.jpg' is read-only, and is left as it is." },
      { source: 'f.jpg', code: 'INTERNAL', message: 'Unexpected failure: x' },
    ] as const
    const rendered = renderReport(reportOf([], [...other, failures[1]]), plain)
    expect(rendered).toEqual(
      naming(
        '1 broken',
        String.raw`  src/a\x07.png`,
        '0 bytes',
        '2 files',
        'a.heic',
        'b.heic',
        'HEIC',
        'JPEG',
        'PNG',
        '1 image',
        'c.jpg',
        'Left there.',
        '1 image',
        'd.jpg',
        'Took longer.',
        '1 file',
        'e.jpg',
        "'e.jpg'",
        'pixpress  1 image that failed',
        'f.jpg',
        'Unexpected failure: x',
      ),
    )
  })
})
