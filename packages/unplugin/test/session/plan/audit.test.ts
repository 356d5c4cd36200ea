import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { auditOf } from '../../../src/session/plan/audit.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

it('an audit that is not understood is named once, and has no say', async () => {
  await writeFile(path.join(root, 'pixpress.audit.json'), '{"version":2}')
  const warnings: string[] = []
  const audited = auditOf(root, (message) => void warnings.push(message))
  expect([await audited(), await audited()]).toEqual([new Map(), new Map()])
  expect(warnings).toEqual([naming("'pixpress.audit.json'", "'pixpress audit --write'")])
})

it('a project without an audit has none, without a word', async () => {
  const warnings: string[] = []
  expect(await auditOf(root, (message) => void warnings.push(message))()).toEqual(new Map())
  expect(warnings).toEqual([])
})
