import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDecisions } from '../../src/templates/decisions.ts'
import type { NotedImage } from '../../src/templates/decisions.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-decisions-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const image = (file: string, parent: string, specifier: string | undefined = './a.png'): NotedImage => ({
  file,
  specifier,
  place: {
    image: { tagName: 'img', attributes: [], isOpen: false },
    ancestors: [{ tagName: 'div', attributes: [['class', parent]], isOpen: false }],
    before: [],
    after: [],
  },
})

it('refuses an image that a rule tells apart, and no other', async () => {
  const decisions = createDecisions(folder)
  decisions.note('one', image('/a.jsx', 'card'))
  decisions.note('two', image('/a.jsx', 'plain'))
  decisions.stylesheet('client', 'a.css', { css: '.card > img { margin: 0 }' })
  expect(await decisions.settle('client')).toEqual([])
  expect(decisions.refusal('client', 'one')).toContain('.card > img')
  expect(decisions.refusal('client', 'two')).toBeUndefined()
})

it("takes the rules of a component's own styles as they are meant, and those of others as they are scoped", async () => {
  const decisions = createDecisions(folder)
  decisions.note('own', image('/A.svelte', 'card'))
  decisions.note('other', image('/B.svelte', 'card'))
  const css = '.card.svelte-abc1 > img:where(.svelte-abc1) { margin: 0 } img.svelte-abc1:first-child { margin: 0 }'
  decisions.stylesheet('client', 'a.css', { css, owner: '/A.svelte' })
  await decisions.settle('client')
  expect(decisions.refusal('client', 'own')).toContain('.card > img')
  expect(decisions.refusal('client', 'other')).toBeUndefined()
})

it('has a server do as the client did, also in a later run', async () => {
  const client = createDecisions(folder)
  client.note('one', image('/a.jsx', 'card'))
  client.stylesheet('client', 'entry.css', { css: '.card > img { margin: 0 }' })
  await client.settle('client')
  // The server knows no stylesheet that the client's entry imports.
  expect(await client.settle('server')).toEqual([])
  expect(client.refusal('server', 'one')).toContain('.card > img')

  const later = createDecisions(folder)
  later.note('one', image('/a.jsx', 'card'))
  await later.settle('server')
  expect(later.refusal('server', 'one')).toContain('.card > img')
})

it('has a server decide by itself on an image that has changed since the client was built', async () => {
  const client = createDecisions(folder)
  client.note('one', image('/a.jsx', 'card'))
  client.stylesheet('client', 'entry.css', { css: '.card > img { margin: 0 }' })
  await client.settle('client')
  const later = createDecisions(folder)
  later.note('one', image('/a.jsx', 'other'))
  await later.settle('server')
  expect(later.refusal('server', 'one')).toBeUndefined()
})

it('names images that a server has shown otherwise before the client was built', async () => {
  const decisions = createDecisions(folder)
  decisions.note('one', image('/a.jsx', 'card'))
  await decisions.settle('server')
  decisions.stylesheet('client', 'entry.css', { css: '.card > img { margin: 0 }' })
  expect(await decisions.settle('client')).toMatchObject([{ file: '/a.jsx' }])
})

it('tells whether any image is looked up that may have a picture', async () => {
  const decisions = createDecisions(folder)
  decisions.note('one', image('/a.jsx', 'card'))
  await decisions.settle('client')
  expect(decisions.looksUp('client')).toBe(false)
  decisions.note('two', { ...image('/a.jsx', 'card'), specifier: undefined })
  await decisions.settle('client')
  expect(decisions.looksUp('client')).toBe(true)
})
