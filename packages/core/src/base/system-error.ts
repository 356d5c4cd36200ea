/** Returns the code of an error of the operating system (`ENOENT`, `EACCES`, …), or `undefined` for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
