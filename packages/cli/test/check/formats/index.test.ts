import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../src/check/result.ts'
import type { FormatSettings } from '../../../src/check/formats/contract.ts'
import { FORMATS, FORMAT_NAMES } from '../../../src/check/formats/index.ts'
import type { FormatName } from '../../../src/check/formats/index.ts'

/** A name as bad as a file system lets it be. */
const NAME = 'a|b`c"<d>:e,\n::error::\u001B[31m@all.png'
const SETTINGS: FormatSettings = {
  color: false,
  verbose: false,
  repositoryPath: (source) => `web/${source}`,
  version: '1.2.3',
  compress: 'npx pixpress compress .',
}

const RESULT: CheckResult = {
  findings: [
    { rule: 'broken', source: NAME, message: `100%\r\n"<b>" of ${NAME}\uFFFF.`, bytes: 5 },
    { rule: 'image-budget', source: NAME, budget: '*', message: 'Too large.', bytes: 5, limit: 4 },
    { rule: 'total-budget', source: 'b.png', budget: '*', message: 'Together.', bytes: 5, limit: 4, possible: 3 },
    { rule: 'total-budget', source: 'b.png', budget: '*', message: 'Together again.', bytes: 5, limit: 3 },
  ],
  images: [{ source: NAME, bytes: 5 }],
  checked: [{ source: NAME, bytes: 5 }],
  failures: [{ source: 'c.png', code: 'REMOTE_UNAVAILABLE', message: 'Away & gone.' }],
}

const NOTHING: CheckResult = { findings: [], images: [], checked: [], failures: [] }
const show = (format: FormatName, result: CheckResult = RESULT): string =>
  [...FORMATS[format](result, SETTINGS)].join('')

describe('every format', () => {
  it.each(FORMAT_NAMES)('%s ends with a line break, and carries no control character of a name', (format) => {
    for (const shown of [show(format), show(format, NOTHING)]) {
      expect(shown.endsWith('\n')).toBe(true)
      // JSON has escapes of its own, and workflow commands have lines.
      expect(shown).not.toContain(format === 'github' ? '\n::error::' : '\u001B')
    }
  })

  it.each(['gitlab', 'json', 'sarif'] as const)('%s is JSON with the names as they are', (format) => {
    expect(JSON.stringify(JSON.parse(show(format)))).toContain(
      format === 'sarif' ? encodeURIComponent(NAME) : JSON.stringify(NAME).slice(1, -1),
    )
  })
})

it('json tells of images that builds ship what they are made of, and counts what is shipped as one file once', () => {
  const images = ['a.png', 'b.png'].map((source) => ({ source, bytes: 5, file: 9, id: 'x' }))
  const before = new Map([['b.png', 7]])
  const { totals, images: listed } = JSON.parse(show('json', { ...RESULT, images, before })) as Record<string, unknown>
  expect(listed).toEqual([
    { source: 'a.png', bytes: 5, file: 9 },
    { source: 'b.png', bytes: 5, file: 9, before: 7 },
  ])
  expect(totals).toMatchObject({ images: 2, bytes: 5, possible: 5 })
})

it('json is written as one value would be, whatever pieces it comes in', () => {
  const outcome = { bytes: 3, type: 'image/png', inputType: 'image/png', isDone: false } as const
  const images = [...RESULT.images, { source: 'b.png', bytes: 9, outcome }]
  for (const result of [NOTHING, RESULT, { ...RESULT, images }]) {
    const shown = show('json', result)
    expect(shown).toBe(`${JSON.stringify(JSON.parse(shown), null, 2)}\n`)
  }
  const { totals, images: listed } = JSON.parse(show('json', { ...RESULT, images })) as Record<string, unknown>
  expect(totals).toEqual({ images: 2, checked: 1, findings: 4, failed: 1, bytes: 14, possible: 8 })
  expect(listed).toEqual([
    { source: NAME, bytes: 5 },
    { source: 'b.png', bytes: 9, possible: 3 },
  ])
})

it('text shows colours only where it may, a line for each finding', () => {
  const shown = 'a|b`c"<d>:e,\\x0a::error::\\x1b[31m@all.png'
  expect(show('text')).toBe(
    [
      shown,
      `  broken: 100%\\x0d\\x0a"<b>" of ${shown}\uFFFF.`,
      '  image-budget: Too large.',
      'b.png',
      '  total-budget: Together.',
      '  total-budget: Together again.',
      'pixpress  1 image checked, 1 could not be, 4 findings\n',
    ].join('\n'),
  )
  expect([...FORMATS.text(RESULT, { ...SETTINGS, color: true })].join('')).toContain(
    '\u001B[31mtotal-budget\u001B[39m: Together.',
  )
})

describe('why images are no smaller', () => {
  const made = { type: 'image/png', inputType: 'image/png', isDone: true } as const
  const kept = [
    { source: 'a.png', bytes: 2000, outcome: { ...made, bytes: 2000, why: { because: 'smallest' } } },
    { source: 'b.png', bytes: 3000, outcome: { ...made, bytes: 3000, why: { because: 'smallest' } } },
    {
      source: 'c|@d.png',
      bytes: 9000,
      // A build ships it without loss.
      file: 12_000,
      outcome: {
        ...made,
        bytes: 9000,
        why: { because: 'guarded', guard: 'gone', x: 3, y: 4, otherwise: { type: 'image/webp', bytes: 1200 } },
      },
    },
    // An image that could be smaller is a finding, whatever the engine says of the smaller one.
    { source: 'e.png', bytes: 9000, outcome: { ...made, bytes: 10, isDone: false, why: { because: 'guarded' } } },
    { source: 'f.png', bytes: 9000, outcome: { ...made, bytes: 9000 } },
  ] as const
  const result: CheckResult = { ...NOTHING, images: kept, checked: kept }

  it('text says each reason once, and with --verbose of each image', () => {
    const guarded = 'c|@d.png, 9.0 kB of 12.0 kB: A smaller one (WebP, about 1.2 kB) shows lost detail at 3, 4.'
    expect(show('text', result).split('\n')).toEqual([
      expect.stringContaining('as they get'),
      `  ${guarded}`,
      naming('2 images', '5.0 kB'),
      expect.stringContaining('5 images'),
      '',
    ])
    const all = [...FORMATS.text(result, { ...SETTINGS, verbose: true })].join('').split('\n')
    expect(all.slice(1, 4)).toEqual([naming('a.png', '2.0 kB'), naming('b.png', '3.0 kB'), `  ${guarded}`])
  })

  it('json has it for each image and for each group', () => {
    const data = JSON.parse(show('json', result)) as { images: { why?: object }[]; kept: object[] }
    expect(data.images.map(({ why }) => why)).toEqual([
      { because: 'smallest', sentence: expect.stringContaining('looks the same') },
      { because: 'smallest', sentence: expect.stringContaining('looks the same') },
      { ...kept[2].outcome.why, sentence: naming('WebP', '1.2 kB', '3', '4') },
      undefined,
      undefined,
    ])
    expect(data.kept).toEqual([
      expect.objectContaining({ because: 'guarded', bytes: 9000, file: 12_000, images: 1 }),
      { because: 'smallest', sentence: expect.stringContaining('looks the same'), bytes: 5000, file: 5000, images: 2 },
    ])
  })

  it('markdown has a table of groups, whatever names hold', () => {
    const rows = show('markdown', result).split('\n').slice(4, -1)
    expect(rows).toEqual([
      naming('`c\\|@d.png`', '9.0 kB', '12.0 kB', 'WebP', '1.2 kB', '3', '4'),
      naming('2 images', '5.0 kB'),
    ])
  })
})

it('github escapes what would end a command, a property or its value', () => {
  const [first] = show('github').split('\n')
  expect(first).toBe(
    '::error file=web/a|b`c"<d>%3Ae%2C%0A%3A%3Aerror%3A%3A\u001B[31m@all.png,title=Broken image (broken)::' +
      '100%25%0D%0A"<b>" of a|b`c"<d>:e,%0A::error::\u001B[31m@all.png\uFFFF.',
  )
})

it('gitlab has a fingerprint of its own for each finding, the same in every run', () => {
  const fingerprints = (JSON.parse(show('gitlab')) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint)
  expect(new Set(fingerprints).size).toBe(4)
  expect(show('gitlab')).toBe(show('gitlab'))
})

it('markdown has one row for each finding, whatever its name holds', () => {
  const rows = show('markdown').split('\n').slice(4, -1)
  expect(rows).toHaveLength(4)
  expect(rows[0]).toMatch(
    /^\| `` a\\\|b`c"<d>:e,\\x0a::error::\\x1b\[31m@all\.png `` \| Broken image \| 5 B \| {2}\| 100%/,
  )
  expect(rows[0]).toContain('"&#60;b&#62;" of a&#124;b&#96;c"&#60;d&#62;')
  expect(rows[2]).toEqual(naming('`b.png`', '5 B', '3 B'))
})

it('junit has well-formed XML: one failure for an image, a test for each budget, an error for what could not be checked', () => {
  const name = 'a|b`c&quot;&lt;d&gt;:e,\\x0a::error::\\x1b[31m@all.png'
  const broken = `Broken image: 100%\\x0d\\x0a&quot;&lt;b&gt;&quot; of ${name}\uFFFD.`
  expect(show('junit')).toEqual(
    naming(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="pixpress" tests="4" failures="3" errors="1">',
      '<testsuite name="pixpress check" tests="4" failures="3" errors="1" skipped="0">',
      `    <testcase classname="pixpress.images" name="${name}" file="web/${name}">`,
      `      <failure type="broken" message="${broken}">${broken}`,
      'Too large.</failure>',
      '</testcase>',
      '<testcase classname="pixpress.budgets" name="* (total-budget)" file="web/b.png">',
      '"total-budget"',
      'Together.</failure>',
      '</testcase>',
      '<testcase classname="pixpress.budgets" name="* (total-budget)" file="web/b.png">',
      '"total-budget"',
      'Together again.</failure>',
      '</testcase>',
      '<testcase classname="pixpress.images" name="c.png" file="web/c.png">',
      '<error type="REMOTE_UNAVAILABLE" message="Away &amp; gone."/>',
      '</testcase>',
      '</testsuite>',
      '</testsuites>',
    ),
  )
})

it('sarif says of a run that could not check all that it was not successful', () => {
  const { runs } = JSON.parse(show('sarif')) as { runs: { invocations: object[]; results: object[] }[] }
  expect(runs[0]!.invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [
        {
          level: 'error',
          message: { text: 'REMOTE_UNAVAILABLE: Away & gone.' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'web/c.png', uriBaseId: '%SRCROOT%' },
                region: { startLine: 1 },
              },
            },
          ],
        },
      ],
    },
  ])
  expect(runs[0]!.results).toHaveLength(4)
})
