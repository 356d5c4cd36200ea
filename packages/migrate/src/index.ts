/**
 * Changes a project that uses another plugin for images.
 *
 * The main path: a project's files (project/project.ts) → its configuration as tokens (project/configuration.ts,
 * script/) → options by the table of that plugin (tools/) → edits, or remarks for a person.
 */
export { FOREIGN, LONGEST, SOURCES } from './project/files.ts'
export { planMigrations } from './project/project.ts'
export type { FileChange, Migration, Note } from './project/project.ts'
export { moduleUse, packagesIn, toolsIn, toolUse } from './project/uses.ts'
export type { Use } from './project/uses.ts'
export { TOOLS } from './tools/tools.ts'
export type { ToolName } from './tools/tools.ts'
