import { expect, it } from 'vitest'
import { auditFileText, parseAudit } from '../../src/project/audit-file.ts'

it('an audit reads as it was written, whatever the order of its images', () => {
  const widths = new Map([
    ['src/b.jpg', [390, 780]],
    ['src/a.jpg', [1200]],
  ])
  expect(parseAudit(auditFileText(widths))).toEqual(widths)
  expect(auditFileText(new Map([...widths].toReversed()))).toBe(auditFileText(widths))
})

it.each([
  '',
  'null',
  '[]',
  '{"version":2,"images":{}}',
  '{"version":1}',
  '{"version":1,"images":{"a.jpg":null}}',
  '{"version":1,"images":{"a.jpg":{"widths":[]}}}',
  '{"version":1,"images":{"a.jpg":{"widths":[1.5]}}}',
  '{"version":1,"images":{"a.jpg":{"widths":["1"]}}}',
])('an audit is refused that is none: %s', (text) => {
  expect(parseAudit(text)).toBeUndefined()
})
