import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { describeFlags, parseFlags, plainText, readEnvironment, wholeNumber } from '../../src/options/flags.ts'

const FLAGS = {
  out: { value: 'DIR', short: 'o', description: 'where to' },
  json: { description: 'as data' },
  key: { value: 'KEY', description: 'a [key](keys.md)', variable: 'PIXPRESS_KEY', several: true },
} as const

describe('parseFlags', () => {
  it.each([
    [['a.png', '--out', 'x', '--json'], { out: 'x', json: true }, ['a.png']],
    [['--out=x', 'a.png', 'b.png'], { out: 'x' }, ['a.png', 'b.png']],
    [['-o', 'x'], { out: 'x' }, []],
    [['--out=-odd'], { out: '-odd' }, []],
    [['--', '--json'], {}, ['--json']],
    [['-'], {}, ['-']],
    [['--out', '12'], { out: '12' }, []],
    [['--key', 'a', '--key=b'], { key: 'a,b' }, []],
  ])('reads %j', (args, flags, positionals) => {
    const parsed = parseFlags(args, FLAGS)
    expect({ ...parsed.flags }).toEqual(flags)
    expect(parsed.positionals).toEqual(positionals)
  })

  it.each([
    [['--uot', 'x'], "Unknown option '--uot'. Did you mean '--out'?"],
    [['--frobnicate'], "Unknown option '--frobnicate'. Run it with --help to see what there is."],
    [['-x'], "Unknown option '-x'. Run it with --help to see what there is."],
    [['--out'], '--out needs a value: --out DIR.'],
    [['--out', '--json'], '--out needs a value: --out DIR.'],
    [['--out='], '--out needs a value: --out DIR.'],
    [['--json=yes'], '--json takes no value.'],
    [['--out', 'x', '--out', 'y'], '--out is given twice.'],
    [['--__proto__'], "Unknown option '--__proto__'. Run it with --help to see what there is."],
  ])('refuses %j', (args, message) => {
    expect(() => parseFlags(args, FLAGS)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })
})

describe('variables of the environment', () => {
  const env = { PIXPRESS_KEY: 'x,y', out: 'no' }

  it('fill in what no flag gives', () => {
    expect({ ...parseFlags(['--json'], FLAGS, env).flags }).toEqual({ json: true, key: 'x,y' })
    expect(readEnvironment(FLAGS, env)).toEqual({ key: 'x,y' })
  })

  it('give way to a flag', () => {
    expect({ ...parseFlags(['--key', 'a'], FLAGS, env).flags }).toEqual({ key: 'a' })
  })

  it('are not read unless they are given, and count as not set where they are empty', () => {
    expect({ ...parseFlags([], FLAGS).flags }).toEqual({})
    expect(readEnvironment(FLAGS, { PIXPRESS_KEY: ' ' })).toEqual({})
  })
})

it.each([[['--json=hunter2']], [['--kye=hunter2']], [['-khunter2']], [['--out', 'x', '--out=hunter2']]])(
  'no message about %j shows the value',
  (args) => {
    let said = ''
    try {
      parseFlags(args, FLAGS)
    } catch (error) {
      said = (error as Error).message
    }
    expect(said).not.toBe('')
    expect(said).not.toContain('hunter2')
  },
)

it('shows Markdown as plain text', () => {
  expect(plainText('[time](effort.md) for `bytes`')).toBe('time for bytes')
})

it('describes flags in columns', () => {
  expect(describeFlags(FLAGS)).toBe(
    '  -o, --out DIR  where to\n      --json     as data\n      --key KEY  a key (PIXPRESS_KEY)',
  )
})

describe('wholeNumber', () => {
  it('reads digits and nothing else', () => {
    expect(wholeNumber('width', undefined)).toBeUndefined()
    expect(wholeNumber('width', '640')).toBe(640)
    expect(wholeNumber('max-size', '0', 0)).toBe(0)
    for (const text of ['0', '-1', '1.5', '1e3', 'wide', ' 1', '99999999999999999999']) {
      expect(() => wholeNumber('width', text)).toThrow(failure('INVALID_OPTION', '--width', '1', `'${text}'`))
    }
  })
})
