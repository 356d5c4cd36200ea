import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashKey, resolveSettings } from '../../src/index.ts'
import { parseKeysFile } from '../../src/settings/keys-file.ts'
import { parseTerms, rateText } from '../../src/settings/key-terms.ts'

const HASHED = `sha256:${hashKey('hunter2').toString('hex')}`

const refusal = (text: string): string => {
  try {
    parseKeysFile('keys.txt', text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('parseKeysFile', () => {
  it('reads a key from each line with its terms, and leaves out comments', () => {
    const text = [
      '# of the shop',
      '* monthly-limit=1000 rate=50/s',
      '',
      `shop=${HASHED} monthly-limit=500 rate=10/min expires=2030-01-31 operations=resize,shrink # changes in June`,
      '\tblog=plain-key\trate=none monthly-limit=none\r',
      'nameless-key',
    ].join('\n')
    expect(parseKeysFile('keys.txt', text)).toEqual({
      defaults: { monthlyLimit: 1000, rate: { interval: 20, burst: 50 } },
      keys: [
        {
          account: 'shop',
          hash: hashKey('hunter2'),
          terms: {
            monthlyLimit: 500,
            rate: { interval: 6000, burst: 10 },
            expiresAt: Date.UTC(2030, 0, 31),
            operations: ['shrink', 'resize'],
          },
        },
        { account: 'blog', hash: hashKey('plain-key'), terms: { rate: 'none', monthlyLimit: 'none' } },
        expect.objectContaining({ hash: hashKey('nameless-key'), terms: {} }),
      ],
    })
    expect(parseKeysFile('keys.txt', '')).toEqual({ keys: [], defaults: {} })
  })

  it.each([
    ['shop=sha256:hunter2', /64 hexadecimal digits after 'sha256:' in line 2 of keys\.txt/],
    [`shop=${HASHED} monthly-limits=5`, /line 2 of keys\.txt\. Did you mean 'monthly-limit'\?/],
    [`shop=${HASHED} monthly-limit=0`, /whole number of at least 1 for 'monthly-limit' in 'line 2 of keys\.txt'/],
    [`shop=${HASHED} rate=fast`, /a rate such as '100\/s'.* 'line 2 of keys\.txt'/],
    [`shop=${HASHED} expires=90d`, /a day such as .*'line 2 of keys\.txt'/],
    [`shop=${HASHED} expires=2030-02-31`, /a day such as/],
    [`shop=${HASHED} expires=2030-02-31T12:00Z`, /a day such as/],
    [`shop=${HASHED} operations=shrink,resizes`, /Did you mean 'resize'\?/],
    [`shop=${HASHED} hunter2`, /Expected words such as 'rate=100\/s' after the key in line 2/],
    [`shop=${HASHED} rate=1/s rate=2/s`, /'rate' stands twice in line 2/],
    [`shop=${HASHED}\nblog=hunter2`, /The key in line 3 of keys\.txt stands in line 2 already/],
    ['* expires=2030-01-01', /Expected 'monthly-limit=…' and 'rate=…' alone after '\*' in line 2/],
    ['* rate=1/s\n* rate=2/s', /second line of defaults \('\*'\) in line 3/],
    ['shop=hünter2', /printable ASCII without spaces for line 2 of keys\.txt/],
  ])('refuses %j with the number of the line, and shows no key', (lines, message) => {
    const said = refusal(`# keys\n${lines}`)
    expect(said).toMatch(message)
    expect(said).not.toMatch(/h[uü]nter2/)
  })

  it('gives a server its keys, and its defaults in the place of the flags', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-keys-'))
    const file = path.join(folder, 'keys')
    try {
      await writeFile(file, `* monthly-limit=7 rate=none\nshop=${HASHED}\n`)
      const settings = resolveSettings({ key: 'blog=b', 'keys-file': file, rate: '5/s' })
      expect(settings.keys.map(({ account }) => account)).toEqual(['blog', 'shop'])
      expect(settings).toMatchObject({ monthlyLimit: 7, rate: undefined, makesKey: false })
      await writeFile(file, '')
      const empty = resolveSettings({ 'keys-file': file, rate: '5/s' })
      expect(empty).toMatchObject({ keys: [], makesKey: false, rate: { burst: 5 }, monthlyLimit: Infinity })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

const nameOf = (word: string): string => `--${word}`

describe('parseTerms', () => {
  const now = Date.UTC(2026, 10, 26)

  it('takes a period from now on where it is told when that is, and the words for nothing of its own', () => {
    expect(parseTerms({ expires: '90d' }, nameOf, now)).toEqual({ expiresAt: now + 90 * 86_400_000 })
    expect(parseTerms({ expires: '2030-01-31T12:00+02:00' }, nameOf)).toEqual({ expiresAt: Date.UTC(2030, 0, 31, 10) })
    const words = { 'monthly-limit': 'default', rate: 'default', expires: 'never', operations: 'all' }
    const nothing = { monthlyLimit: null, rate: null, expiresAt: null, operations: null }
    expect(parseTerms(words, nameOf, now)).toEqual(nothing)
  })

  it('writes a rate as it was given', () => {
    for (const text of ['100/s', '7/min', '3/h', '600/d']) {
      const { rate } = parseTerms({ rate: text }, nameOf)
      expect(typeof rate === 'object' && rate !== null && rateText(rate)).toBe(text)
    }
  })
})
