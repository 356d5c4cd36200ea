import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliver, deliverExpression, deliverUrl } from '../../src/modules/deliver.ts'
import type { FinishedImage } from '../../src/session/plan/images.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'

const root = path.resolve('/project')
const withoutStore = openSession({ cache: false, report: false }, root)
/** Only the answer of the object storage is made up. */
const withStore: Session = { ...withoutStore, upload: async ({ name }) => `https://cdn.example.com/${name}` }
const image: FinishedImage = {
  planned: withoutStore.planBytes(path.join(root, 'a.png'), Buffer.from('no image')),
  data: Buffer.from('no image'),
  type: 'image/png',
  name: 'a.png',
  width: 1,
  height: 1,
}
const emit = ({ name }: FinishedImage): string => `assets/${name}`
const DATA = `data:image/png;base64,${Buffer.from('no image').toString('base64')}`

describe('deliver', () => {
  it.each([
    ['inlines before anything else', withStore, { inline: true }, { by: 'inline', url: DATA }],
    ['stores before it emits', withStore, {}, { by: 'store', url: 'https://cdn.example.com/a.png' }],
    ['emits what has to be in the output', withStore, { local: true }, { by: 'emit', emitted: 'assets/a.png' }],
    ['emits where there is no store', withoutStore, {}, { by: 'emit', emitted: 'assets/a.png' }],
  ])('%s', async (_, session, rule, expected) => {
    expect(await deliver(session, image, { ...rule, emit })).toEqual(expected)
  })
})

describe('a fragment', () => {
  it('follows URLs, but no data', async () => {
    expect(await deliverUrl(withoutStore, image, { emit }, '#x')).toBe('assets/a.png#x')
    expect(await deliverUrl(withStore, image, { emit }, '#x')).toBe('https://cdn.example.com/a.png#x')
    expect(await deliverUrl(withStore, image, { inline: true, emit }, '#x')).toBe(DATA)
  })

  it('is part of the literal in scripts, or added to the expression', async () => {
    const expression = { emit: (): string => 'import.meta.URL_1' }
    expect(await deliverExpression(withoutStore, image, expression, '#x')).toBe('import.meta.URL_1 + "#x"')
    expect(await deliverExpression(withoutStore, image, expression)).toBe('import.meta.URL_1')
    expect(await deliverExpression(withStore, image, expression, '#x')).toBe('"https://cdn.example.com/a.png#x"')
    expect(await deliverExpression(withStore, image, { inline: true, ...expression }, '#x')).toBe(`"${DATA}"`)
  })
})
