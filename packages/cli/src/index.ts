/**
 * The command `pixpress`, and the types of its configuration file.
 *
 * The main path: `bin.ts` → `run` (run.ts) → a command (commands/) → for `compress`: inputs → one task per file → report
 * (compress/).
 */
import './same-release.ts'
export { defineConfig } from './config.ts'
export type { Config } from './config.ts'
export { run } from './run.ts'
