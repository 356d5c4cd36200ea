import type { Commands } from './command.ts'

/** Every command, in the order of the help. */
export const COMMANDS: Commands = {
  init: {
    summary: "writes the plugin into the bundler's configuration",
    load: async () => (await import('./init.ts')).init,
    flags: async () => (await import('./init.ts')).INIT_FLAGS,
  },
  compress: {
    summary: 'makes images smaller, in place or into another folder',
    load: async () => (await import('./compress.ts')).compress,
    flags: async () => (await import('../compress/flags.ts')).COMPRESS_FLAGS,
  },
  batch: {
    summary: 'makes the images of a bucket or a folder smaller, on any number of machines',
    load: async () => (await import('./batch.ts')).batch,
    flags: async () => (await import('../batch/flags.ts')).BATCH_FLAGS,
    words: async () => [],
  },
  work: {
    summary: "works on what 'batch --queue' has listed",
    load: async () => (await import('./work.ts')).work,
    flags: async () => (await import('../batch/flags.ts')).WORK_FLAGS,
    words: async () => [],
  },
  restore: {
    summary: "brings back what 'compress' replaced",
    load: async () => (await import('./restore.ts')).restore,
    flags: async () => (await import('./restore.ts')).RESTORE_FLAGS,
  },
  check: {
    summary: 'says which images could be smaller, exceed a budget or are broken',
    load: async () => (await import('./check.ts')).check,
    flags: async () => (await import('./check-flags.ts')).CHECK_FLAGS,
  },
  audit: {
    summary: 'looks at pages in a browser, and says what is wrong with their images',
    load: async () => (await import('./audit.ts')).audit,
    flags: async () => (await import('./audit-flags.ts')).AUDIT_FLAGS,
  },
  upgrade: {
    summary: "makes the lock's results of older engines anew",
    load: async () => (await import('./upgrade.ts')).upgrade,
    flags: async () => (await import('./upgrade.ts')).UPGRADE_FLAGS,
  },
  refine: {
    summary: 'makes the final results of drafts',
    load: async () => (await import('./refine.ts')).refine,
    flags: async () => (await import('./refine.ts')).REFINE_FLAGS,
  },
  serve: {
    summary: 'serves the compression interface over HTTP',
    load: async () => (await import('./serve.ts')).serveCommand,
    flags: async () => (await import('./serve.ts')).serveFlags(),
    words: async () => [],
  },
  keys: {
    summary: 'adds, lists, limits and revokes keys of the server while it runs',
    load: async () => (await import('./keys.ts')).keys,
    flags: async () => (await import('./keys.ts')).keysFlags(),
    words: async () => (await import('./keys.ts')).keysWords(),
  },
  storage: {
    summary: "backs up a server's data folder, checks a backup, and restores it",
    load: async () => (await import('./storage.ts')).storage,
    flags: async () => (await import('./storage.ts')).storageFlags(),
    words: async () => (await import('./storage.ts')).storageWords(),
  },
  cache: {
    summary: 'shows, trims, empties or checks the cache',
    load: async () => (await import('./cache.ts')).cache,
    flags: async () => (await import('./cache.ts')).CACHE_FLAGS,
    words: async () => Object.keys((await import('./cache.ts')).ACTIONS),
  },
  report: {
    summary: "prints a build's JSON report as a table",
    load: async () => (await import('./report.ts')).report,
    flags: async () => (await import('./report.ts')).REPORT_FLAGS,
  },
  types: {
    summary: 'writes or checks the types of image imports',
    load: async () => (await import('./types.ts')).types,
    flags: async () => (await import('./types.ts')).TYPES_FLAGS,
  },
  migrate: {
    summary: 'changes a project that uses another image plugin',
    load: async () => (await import('./migrate.ts')).migrate,
    flags: async () => (await import('./migrate.ts')).MIGRATE_FLAGS,
    words: async () => Object.keys((await import('@pixpress/migrate')).TOOLS),
  },
  doctor: {
    summary: 'says what is wrong with the installation, and what to do',
    load: async () => (await import('./doctor.ts')).doctor,
    flags: async () => (await import('./doctor.ts')).DOCTOR_FLAGS,
    words: async () => [],
  },
  completion: {
    summary: 'prints what a shell needs to complete commands and flags',
    load: async () => (await import('./completion.ts')).completionOf(COMMANDS),
    flags: async () => (await import('./completion.ts')).COMPLETION_FLAGS,
    words: async () => (await import('../completion/shells.ts')).SHELL_NAMES,
  },
}
