import { describe, expect, it } from 'vitest'
import type { AuditFinding } from '../src/findings/findings.ts'
import { auditText } from '../src/output.ts'
import type { AuditResult } from '../src/run-audit.ts'
import type { WritePlan } from '../src/writes.ts'

/** Returns the members of a visit that a text is made of. */
function visit(refused: readonly string[] = []): AuditResult['visits'][number] {
  const loaded = new Map([['a', { url: 'http://127.0.0.1/a.jpg', digest: 'a', bytes: 90_000 }]])
  return { page: '/', viewport: { name: '390' }, loaded, refused } as unknown as AuditResult['visits'][number]
}

function finding(given: Partial<AuditFinding>): AuditFinding {
  const plain = { message: 'It is so', fix: 'do this', bytes: 90_000, pages: ['/'], viewports: ['390'] }
  return { kind: 'oversize', image: '/a.jpg', wasted: 0, ...plain, ...given }
}

/** The last line of what is said. */
function end(findings: readonly AuditFinding[], refused?: readonly string[]): string | undefined {
  const advice = { byFinding: new Map(), written: [], changes: [] }
  const plan = { findings, advice, hasPlugin: true, widths: new Map() } as unknown as WritePlan
  const style = { width: 80, color: false, full: false }
  return auditText({ visits: [visit(refused)], failures: [] }, plan, 'not', style)
    .trimEnd()
    .split('\n')
    .at(-1)
}

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
    expect(end(all)).toBe('pixpress  about 52.0 kB too many; most of it /a.jpg: about 40.0 kB less')
  })

  it('counts what is not known to cost anything', () => {
    expect(end([finding({ kind: 'missing-alt' })])).toBe('pixpress  1 finding, not known to cost bytes')
    expect(end([finding({}), finding({ kind: 'missing-alt' })])).toBe('pixpress  2 findings, not known to cost bytes')
  })
})
