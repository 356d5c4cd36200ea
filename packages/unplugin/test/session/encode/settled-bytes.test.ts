import path from 'node:path'
import { useTemporaryFolder } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { diskFiles } from '../../../src/base/files.ts'
import { createSettledBytes } from '../../../src/session/encode/settled-bytes.ts'

const folder = useTemporaryFolder()

describe('settled bytes', () => {
  it('are those of results', async () => {
    const settled = createSettledBytes()
    settled.add(Buffer.from('made'))
    expect(await settled.has(Buffer.from('made'), diskFiles)).toBe(true)
    expect(await settled.has(Buffer.from('not made'), diskFiles)).toBe(false)
  })

  it('are those of files that stay as they are, as far as there are such files', async () => {
    await folder.write({ 'a.png': 'left' })
    const settled = createSettledBytes()
    settled.leave(path.join(folder.path, 'a.png'))
    settled.leave(path.join(folder.path, 'gone.png'))
    expect(await settled.has(Buffer.from('left'), diskFiles)).toBe(true)
    expect(await settled.has(Buffer.from('tfel'), diskFiles)).toBe(false)
    expect(await settled.has(Buffer.from('longer'), diskFiles)).toBe(false)
  })
})
