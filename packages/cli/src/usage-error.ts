/** The command line is wrong: the message says what was expected, and the command ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
