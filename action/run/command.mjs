import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { ActionError } from './inputs.mjs'

/**
 * Runs `pixpress` in the working directory by npx, which takes the project's own unless a version is asked for. Its
 * standard error goes to the log.
 * @returns the exit code and the report
 * @throws ActionError if it printed no report
 */
export async function pixpress({ version, folder }, args, input) {
  if (process.platform === 'win32') throw new ActionError('The action needs a runner with Linux or macOS.')
  const name = version === '' ? 'pixpress' : `pixpress@${version}`
  const child = spawn('npx', ['--yes', name, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  // Where it ends before it has read all, its code tells.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [printed, code] = await Promise.all([buffer(child.stdout), ended])
  try {
    return { code, report: JSON.parse(printed.toString('utf8')) }
  } catch {
    throw new ActionError(`'pixpress ${args[0]}' ended with code ${code} and without a report: its log says why.`)
  }
}

/** Runs `pixpress check` for the changes since `base`, or without one for every image. */
export async function checkImages(inputs, base) {
  const since = base === undefined ? [] : [`--changed=${base}`]
  return pixpress(inputs, ['check', '--format', 'json', ...since, ...optionsOf(inputs), '--', ...inputs.files])
}

/** Compresses files in place; their names are absolute. */
export async function compressImages(inputs, files) {
  return pixpress(inputs, ['compress', '--json', '--files-from', '-', ...optionsOf(inputs)], files.join('\0') + '\0')
}

/** Writes what is or would be delivered of files into a folder; their names are absolute. */
export async function deliverImages(inputs, files, folder) {
  const args = ['compress', '--json', '--out', folder, '--files-from', '-', ...optionsOf(inputs)]
  return pixpress(inputs, args, files.join('\0') + '\0')
}

/** The options of the inputs that both commands take. */
export const optionsOf = ({ config, arguments: given }) => [...(config === '' ? [] : [`--config=${config}`]), ...given]
