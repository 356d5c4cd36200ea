import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { IMAGE_TYPES } from '@pixpress/core'
import { OPERATION_FLAGS, PROJECT_OPTIONS, factsOf, plainText } from '@pixpress/core/internal'
import { KEYS_FLAGS, STORAGE_FLAGS } from '@pixpress/server'
import { describe, expect, it } from 'vitest'
import { DIRECTIVES } from '../../unplugin/src/directives/rows.ts'
import { AUDIT_FLAGS } from '../src/commands/audit-flags.ts'
import { KIND_NAMES } from '../../audit/src/findings/kinds.ts'
import { CHECK_FLAGS } from '../src/commands/check-flags.ts'
import { CACHE_FLAGS } from '../src/commands/cache.ts'
import { DOCTOR_FLAGS } from '../src/commands/doctor.ts'
import { INIT_FLAGS } from '../src/commands/init.ts'
import { MIGRATE_FLAGS } from '../src/commands/migrate.ts'
import { REFINE_FLAGS } from '../src/commands/refine.ts'
import { REPORT_FLAGS } from '../src/commands/report.ts'
import { RESTORE_FLAGS } from '../src/commands/restore.ts'
import { TYPES_FLAGS } from '../src/commands/types.ts'
import { UPGRADE_FLAGS } from '../src/commands/upgrade.ts'
import { BATCH_FLAGS, WORK_FLAGS } from '../src/batch/flags.ts'
import { COMPRESS_FLAGS } from '../src/compress/flags.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8')

interface Script {
  render(rows: object): Readonly<Record<string, Readonly<Record<string, string>>>>
  ownFlags(flags: object, others: object): object
  renderSchema(options: object, plainText: (markdown: string) => string): string
  withTables(page: string, tables: Readonly<Record<string, string>>): string
}

const { render, ownFlags, renderSchema, withTables } = (await import(
  pathToFileURL(path.join(root, 'scripts/options-docs.mjs')).href
)) as Script

const PAGES = render({
  options: PROJECT_OPTIONS,
  facts: IMAGE_TYPES.map((type) => factsOf(type)),
  initFlags: INIT_FLAGS,
  compressFlags: COMPRESS_FLAGS,
  batchFlags: ownFlags(BATCH_FLAGS, OPERATION_FLAGS),
  workFlags: WORK_FLAGS,
  restoreFlags: RESTORE_FLAGS,
  checkFlags: ownFlags(CHECK_FLAGS, COMPRESS_FLAGS),
  auditFlags: AUDIT_FLAGS,
  cacheFlags: CACHE_FLAGS,
  migrateFlags: MIGRATE_FLAGS,
  typesFlags: TYPES_FLAGS,
  refineFlags: ownFlags(REFINE_FLAGS, COMPRESS_FLAGS),
  upgradeFlags: ownFlags(UPGRADE_FLAGS, COMPRESS_FLAGS),
  reportFlags: REPORT_FLAGS,
  doctorFlags: DOCTOR_FLAGS,
  keysFlags: KEYS_FLAGS,
  storageFlags: STORAGE_FLAGS,
  directives: DIRECTIVES,
})

describe('the documentation', () => {
  it('docs/audit.md has a row for each kind of finding', async () => {
    const rows = [...(await read('docs/audit.md')).matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, kind]) => kind)
    expect(rows).toEqual(KIND_NAMES)
  })

  it.each(Object.entries(PAGES))(
    '%s has the tables that scripts/options-docs.mjs makes of the rows',
    async (file, tables) => {
      const page = await read(file)
      expect(page).toBe(withTables(page, tables))
    },
  )

  it('docs/options.schema.json is the schema that scripts/options-docs.mjs makes of the rows', async () => {
    expect(await read('docs/options.schema.json')).toBe(renderSchema(PROJECT_OPTIONS, plainText))
  })
})
