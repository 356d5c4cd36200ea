/** What a command ends with: all good, some files failed, wrong usage. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const
