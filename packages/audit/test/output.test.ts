import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { AuditFinding } from '../src/findings/findings.ts'
import { auditData, auditText } from '../src/output.ts'
import type { AuditResult } from '../src/run-audit.ts'
import type { WritePlan } from '../src/writes.ts'

/** Returns the members of a visit that a text is made of. */
function visit(refused: readonly string[] = [], errors: readonly string[] = []): AuditResult['visits'][number] {
  const loaded = new Map([['a', { url: 'http://127.0.0.1/a.jpg', digest: 'a', bytes: 90_000 }]])
  return { page: '/', viewport: { name: '390' }, loaded, refused, errors } as unknown as AuditResult['visits'][number]
}

function finding(given: Partial<AuditFinding>): AuditFinding {
  const plain = { message: 'It is so', fix: 'do this', bytes: 90_000, pages: ['/'], viewports: ['390'] }
  return { kind: 'oversize', image: '/a.jpg', wasted: 0, ...plain, ...given }
}

const planOf = (findings: readonly AuditFinding[]): WritePlan => {
  const advice = { byFinding: new Map(), written: [], changes: [] }
  return { findings, advice, hasPlugin: true, widths: new Map() } as unknown as WritePlan
}

/** The text about some visits. */
const textOf = (visits: AuditResult['visits'], findings: readonly AuditFinding[] = []): string =>
  auditText({ visits, failures: [] }, planOf(findings), 'not', { width: 80, color: false, full: false })

/** The last line of what is said. */
const end = (findings: readonly AuditFinding[], refused?: readonly string[]): string | undefined =>
  textOf([visit(refused)], findings)
    .trimEnd()
    .split('\n')
    .at(-1)

describe('the last line of an audit', () => {
  it('is the one that says that nothing was found', () => {
    expect(end([])).toBe('pixpress  1 page in 1 viewport: nothing found')
    // Something else may stand between.
    expect(end([], ['https://cdn.example/b.jpg'])).toBe('pixpress  nothing found')
  })

  it('names the image that mends most, and what all come to, each image once', () => {
    const all = [
      finding({ wasted: 12_000, image: '/b.png' }),
      finding({ wasted: 40_000 }),
      finding({ kind: 'missing-alt' }),
      finding({ wasted: 30_000, kind: 'sizes-too-large' }),
    ]
    expect(end(all)).toEqual(naming('52.0 kB', '/a.jpg', '40.0 kB'))
  })

  it('counts what is not known to cost anything', () => {
    expect(end([finding({ kind: 'missing-alt' })])).toContain('1 finding')
    expect(end([finding({}), finding({ kind: 'missing-alt' })])).toContain('2 findings')
  })

  it('names the largest image whose worth as another type nobody has measured', () => {
    const gif = finding({ kind: 'animated-gif', image: '/cat.gif', bytes: 3_200_000 })
    const unknown = 'what /cat.gif of 3.2 MB would save as another type is not measured'
    const png = finding({ kind: 'photo-as-png', image: '/b.png' })
    expect(end([finding({ kind: 'missing-alt' }), png, gif])).toBe(`pixpress  3 findings; ${unknown}`)
    expect(end([gif, finding({ wasted: 40_000 })])).toEqual(naming('40.0 kB', '/a.jpg', '40.0 kB', unknown))
  })

  it('leaves out a file of another type that is smaller than what is known to be too much', () => {
    const old = finding({ kind: 'old-format', image: '/b.jpg', bytes: 30_000 })
    expect(end([old, finding({ wasted: 40_000 })])).toEqual(naming('40.0 kB', '/a.jpg', '40.0 kB'))
  })
})

describe('an audit of pages whose scripts failed', () => {
  const failed = visit([], ['TypeError: x is not a function'])
  const sentence = 'A script failed on /, so that images may be missing here: TypeError: x is not a function.'

  it('says so once, and not that nothing was found alone', () => {
    expect(textOf([failed, failed])).toEqual(naming('1 page', '1 viewport', sentence))
    expect(textOf([failed], [finding({})])).toContain(`\n${sentence}\n`)
  })

  it('has them as data', () => {
    const data = JSON.parse(auditData({ visits: [failed, failed], failures: [] }, planOf([]))) as object
    expect(data).toMatchObject({ scriptErrors: [{ page: '/', message: expect.stringContaining('TypeError') }] })
  })

  it('does not say that nothing was found where no page could be looked at', () => {
    expect(textOf([])).toContain('be looked at')
  })
})
