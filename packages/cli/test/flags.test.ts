import { describe, expect, it } from 'vitest'
import { describeFlags, parseFlags, wholeNumber } from '../src/flags.ts'
import { UsageError } from '../src/usage-error.ts'

const FLAGS = {
  out: { value: 'DIR', short: 'o', description: 'where to' },
  json: { description: 'as data' },
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
  ])('reads %j', (args, flags, positionals) => {
    const parsed = parseFlags(args, FLAGS)
    expect({ ...parsed.flags }).toEqual(flags)
    expect(parsed.positionals).toEqual(positionals)
  })

  it.each([
    [['--uot', 'x'], "Unknown option '--uot'. Did you mean '--out'?"],
    [['--frobnicate'], "Unknown option '--frobnicate'. See 'pixpress --help'."],
    [['-x'], "Unknown option '-x'. See 'pixpress --help'."],
    [['--out'], '--out needs a value: --out DIR.'],
    [['--out', '--json'], '--out needs a value: --out DIR.'],
    [['--out='], '--out needs a value: --out DIR.'],
    [['--json=yes'], "--json takes no value, and 'yes' was given."],
    [['--out', 'x', '--out', 'y'], '--out is given twice.'],
    [['--__proto__'], "Unknown option '--__proto__'. See 'pixpress --help'."],
  ])('refuses %j', (args, message) => {
    expect(() => parseFlags(args, FLAGS)).toThrow(new UsageError(message))
  })
})

it('describes flags in columns', () => {
  expect(describeFlags(FLAGS)).toBe('  -o, --out DIR  where to\n      --json     as data')
})

describe('wholeNumber', () => {
  it('reads digits and nothing else', () => {
    expect(wholeNumber('width', undefined)).toBeUndefined()
    expect(wholeNumber('width', '640')).toBe(640)
    expect(wholeNumber('max-size', '0', 0)).toBe(0)
    for (const text of ['0', '-1', '1.5', '1e3', 'wide', ' 1', '99999999999999999999']) {
      expect(() => wholeNumber('width', text)).toThrow(
        `--width must be a whole number of at least 1; '${text}' was given.`,
      )
    }
  })
})
