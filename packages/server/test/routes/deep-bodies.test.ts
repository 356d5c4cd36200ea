import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let output: string

beforeAll(async () => {
  server = await startTestServer()
  const answer = await server.send('POST', '/shrink', { body: await photo(40, 30).png() })
  output = new URL(answer.headers.location!).pathname
})
afterAll(() => server.stop())

const LIST = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
const OBJECT = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
const LONG = JSON.stringify('a'.repeat(50_000))

it.each([
  ['a list of 10,000 levels', LIST],
  ['an object of 10,000 levels', OBJECT],
  ['a text of 50,000 characters', LONG],
])('%s in a request is the mistake of its client, wherever it stands', async (_, value) => {
  const members = ['resize', 'convert', 'preserve', 'transform', 'store', 'quality', 'adjust', 'effort', 'unknown']
  const bodies = members.flatMap((member) => [
    `{"${member}":${value}}`,
    `{"${member}":{"type":${value}}}`,
    `{"${member}":{"method":"fit","width":${value},"height":1}}`,
  ])
  for (const body of [...bodies, value]) {
    const answer = await server.send('POST', output, {
      body: Buffer.from(body),
      headers: { 'Content-Type': 'application/json' },
    })
    const name = body.slice(0, 40)
    expect(answer.status, name).toBe(400)
    expect(String(answer.json().message).length, name).toBeLessThan(1000)
  }
  for (const body of [`{"source":${value}}`, `{"source":{"url":${value}}}`]) {
    const answer = await server.send('POST', '/shrink', {
      body: Buffer.from(body),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status, body.slice(0, 40)).toBe(400)
  }
})
