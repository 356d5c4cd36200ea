import { firstLine, systemFault } from '@pixpress/core/internal'

/** Says why a file that was named cannot be read, as a whole sentence and without the words of Node. */
export function whyUnreadable(error: unknown, shown: string): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file '${shown}'.`
  if (code === 'EISDIR') return `'${shown}' is a folder, and no file.`
  const fault = systemFault(error, shown)
  return `'${shown}' cannot be read. ${fault === undefined ? firstLine(error) : `${fault.what}. ${fault.mend}`}.`
}
