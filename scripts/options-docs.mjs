/**
 * Writes what the documentation says of options, flags and directives from their rows: the marked tables of docs/*.md,
 * and docs/options.schema.json. Run it after `pnpm build`; a test of the command's package tells when it is due.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The files and the tables of each, by the names in their marks. */
export function render({
  options,
  facts,
  initFlags,
  compressFlags,
  batchFlags,
  workFlags,
  restoreFlags,
  checkFlags,
  auditFlags,
  cacheFlags,
  migrateFlags,
  typesFlags,
  refineFlags,
  upgradeFlags,
  reportFlags,
  doctorFlags,
  keysFlags,
  storageFlags,
  directives,
}) {
  const flags = {
    init: initFlags,
    compress: compressFlags,
    batch: batchFlags,
    work: workFlags,
    restore: restoreFlags,
    check: checkFlags,
    audit: auditFlags,
    cache: cacheFlags,
    migrate: migrateFlags,
    types: typesFlags,
    refine: refineFlags,
    upgrade: upgradeFlags,
    report: reportFlags,
    doctor: doctorFlags,
    keys: keysFlags,
    storage: storageFlags,
  }
  return {
    'docs/options.md': { options: optionTable(options), encoder: encoderTable(facts) },
    'docs/cli.md': Object.fromEntries(Object.entries(flags).map(([command, own]) => [command, flagTable(own)])),
    'docs/directives.md': {
      directives: table(
        ['directive', 'values'],
        Object.entries(directives).map(([word, { doc }]) => [`\`${word}\``, doc]),
      ),
    },
    'docs/reference.md': { reference: referenceTable(options, directives, flags) },
  }
}

/** The JSON Schema of a project's options. @param plainText shows Markdown without its marks */
export function renderSchema(options, plainText) {
  const properties = Object.entries(options).map(([key, { parser, doc, default: preset }]) => {
    const value = preset?.()
    return [key, { description: plainText(doc), ...parser.schema, ...(value !== undefined && { default: value }) }]
  })
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Options of pixpress',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** A page with the tables between `<!-- name: made by … -->` and `<!-- /name -->` replaced. */
export function withTables(page, tables) {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const block = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[^]*?(\\n<!-- /${name} -->)`)
    if (!block.test(text)) throw new Error(`There is no table '${name}'.`)
    return text.replace(block, (_, begin, end) => `${begin}\n${content}\n${end}`)
  }, page)
}

const optionRows = (options) =>
  Object.entries(options).map(([key, { shownDefault, doc, bundlers }]) => [
    `\`${key}\``,
    shownDefault,
    bundlers === undefined ? doc : `${doc}. Only for ${bundlers.join(' and ')}`,
  ])

const flagRows = (flags) =>
  Object.entries(flags).map(([name, { value, short, description, variable }]) => [
    `\`--${name}${value === undefined ? '' : ` ${value}`}\`${short === undefined ? '' : `, \`-${short}\``}`,
    variable === undefined ? description : `${description} (\`${variable}\`)`,
  ])

const optionTable = (options) => table(['option', 'default', 'what it does'], optionRows(options))

const flagTable = (flags) => table(['flag', 'what'], flagRows(flags))

/** Text whose links within its own page lead there from another one. */
const linksFrom = (page, text) => text.replaceAll('](#', `](${page}#`)

/** All of it in one table, which the site makes searchable: what is written, where, and what it does. */
function referenceTable(options, directives, flags) {
  const rows = [
    ...optionRows(options).map(([name, preset, doc]) => [
      name,
      '[option](options.md)',
      linksFrom('options.md', `${doc}. Default: ${preset}`),
    ]),
    ...Object.entries(directives).map(([word, { doc }]) => [
      `\`?${word}\``,
      '[directive](directives.md)',
      linksFrom('directives.md', doc),
    ]),
    ...Object.entries(flags).flatMap(([command, own]) =>
      flagRows(own).map(([name, doc]) => [name, `[\`${command}\`](cli.md#${command})`, linksFrom('cli.md', doc)]),
    ),
  ]
  return table(['what is written', 'where', 'what it does'], rows)
}

/** @param facts rows of formats that can be written, each with its `type` and `settings` */
function encoderTable(facts) {
  const shown = {
    whole: ({ least, most }) => ` ${least}–${most}`,
    share: () => ' 0–1',
    flag: () => '',
    choice: ({ values }) => ` ${values.map((value) => `\`'${value}'\``).join(' or ')}`,
  }
  const settingOf = ([name, setting]) => {
    const preset = setting.default
    const shownDefault =
      preset === undefined ? 'none' : typeof preset === 'number' ? preset : `\`${JSON.stringify(preset)}\``
    return `\`${name}\`${shown[setting.kind](setting)} (${String(shownDefault).replaceAll('"', "'")})`
  }
  return table(
    ['type', 'settings'],
    facts.map(({ type, settings }) => [`\`${type}\``, Object.entries(settings).map(settingOf).join(', ')]),
  )
}

/** Flags that another command does not have in the same words: its table has the others. */
export function ownFlags(flags, others) {
  return Object.fromEntries(Object.entries(flags).filter(([name, flag]) => others[name] !== flag))
}

/** A Markdown table with aligned columns, as the formatter leaves it. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../', import.meta.url)
  const load = (file) => import(new URL(`packages/${file}`, root).href)
  const { IMAGE_TYPES } = await load('core/dist/bundle/index.js')
  const { OPERATION_FLAGS, PROJECT_OPTIONS, factsOf, plainText } = await load('core/dist/bundle/internal.js')
  const { COMPRESS_FLAGS } = await load('cli/dist/compress/flags.js')
  const { BATCH_FLAGS, WORK_FLAGS } = await load('cli/dist/batch/flags.js')
  const { INIT_FLAGS } = await load('cli/dist/commands/init.js')
  const { RESTORE_FLAGS } = await load('cli/dist/commands/restore.js')
  const { CHECK_FLAGS } = await load('cli/dist/commands/check-flags.js')
  const { AUDIT_FLAGS } = await load('cli/dist/commands/audit-flags.js')
  const { CACHE_FLAGS } = await load('cli/dist/commands/cache.js')
  const { TYPES_FLAGS } = await load('cli/dist/commands/types.js')
  const { REFINE_FLAGS } = await load('cli/dist/commands/refine.js')
  const { UPGRADE_FLAGS } = await load('cli/dist/commands/upgrade.js')
  const { DOCTOR_FLAGS } = await load('cli/dist/commands/doctor.js')
  const { REPORT_FLAGS } = await load('cli/dist/commands/report.js')
  const { MIGRATE_FLAGS } = await load('cli/dist/commands/migrate.js')
  const { KEYS_FLAGS, STORAGE_FLAGS } = await load('server/dist/index.js')
  const { DIRECTIVES } = await load('unplugin/dist/directives/rows.js')
  const pages = render({
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
  for (const [file, tables] of Object.entries(pages)) {
    const url = new URL(file, root)
    await writeFile(url, withTables(await readFile(url, 'utf8'), tables))
  }
  await writeFile(new URL('docs/options.schema.json', root), renderSchema(PROJECT_OPTIONS, plainText))
}
