import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exceptionsOf } from '../../src/lock/index.ts'
import { renderLock } from '../../src/lock/lines.ts'
import type { LockLine } from '../../src/lock/lines.ts'
import { ENGINE_REVISION } from '../../src/base/versions.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const line = (source: string, rest: Partial<LockLine>): LockLine => ({
  source,
  operations: { score: 80 },
  type: 'image/webp',
  bytes: 123,
  engine: ENGINE_REVISION,
  sha256: 'a'.repeat(64),
  result: 'b'.repeat(64),
  key: 'c'.repeat(64),
  ...rest,
})

async function exceptions(...lines: readonly LockLine[]): Promise<string> {
  const file = path.join(folder, 'pixpress.lock')
  await writeFile(file, renderLock(lines))
  return exceptionsOf(file)
}

describe('what bundlers must not keep of a lock', () => {
  it('is nothing without a lock, and for results of this engine and of a service', async () => {
    expect(exceptionsOf(undefined)).toBe('')
    expect(exceptionsOf(path.join(folder, 'pixpress.lock'))).toBe('')
    expect(await exceptions(line('a.jpg', {}), line('b.jpg', { engine: 'service' }))).toBe('')
  })

  it('is told by the drafts and the results of older engines, whatever else is there', async () => {
    const older = line('a.jpg', { engine: ENGINE_REVISION - 1 })
    const draft = line('b.jpg', { draft: true })
    const both = await exceptions(older, draft)
    expect(both).toMatch(/^[0-9a-f]{64}$/)
    expect(await exceptions(older, draft, line('c.jpg', {}))).toBe(both)
    expect(await exceptions(older)).not.toBe(both)
    expect(await exceptions(older, line('b.jpg', {}))).not.toBe(both)
    expect(await exceptions(draft)).not.toBe(both)
  })
})
