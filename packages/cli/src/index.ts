/**
 * The command `pixpress`, and the types of its configuration file.
 *
 * The main path: `bin.ts` → `run` (run.ts) → a command (commands/) → for `compress`: inputs → one task per file →
 * report (compress/).
 */
import './base/same-release.ts'
export { defineConfig } from './base/config.ts'
export type { Config } from './base/config.ts'
export { run } from './run.ts'
