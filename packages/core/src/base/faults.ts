import { PixpressError, isCodeError } from './errors.ts'
import { systemErrorCode } from './system-error.ts'

/** Obstacles to a file or folder, by the system's codes: the description, and the remedy. */
const SYSTEM: readonly (readonly [codes: readonly string[], what: string, mend: (place: string) => string])[] = [
  [['ENOSPC', 'EDQUOT', 'EFBIG'], 'The disk is full', () => 'Free some space'],
  [['EROFS'], 'The disk can only be read', () => 'Choose a folder on another'],
  [['EACCES', 'EPERM'], 'There is no permission', (place) => `Run: chmod -R u+rwX '${place}'`],
  [['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY'], 'Something else is in its place', (place) => `Run: rm -r '${place}'`],
  [['EMFILE', 'ENFILE'], 'Too many files are open', () => 'Run: ulimit -n 4096'],
  [['EIO', 'ENXIO', 'ENODEV'], 'The disk fails', () => 'Check it, and choose a folder on another'],
]

/** A fault of the machine: its description, and the remedy. */
export interface Fault {
  readonly what: string
  readonly mend: string
}

/**
 * Explains the system's refusal of a file or folder to a person; `undefined` for any other error.
 * @param place path of what mends it
 */
export function systemFault(error: unknown, place: string): Fault | undefined {
  const code = systemErrorCode(error)
  const row = SYSTEM.find(([codes]) => code !== undefined && codes.includes(code))
  return row && { what: row[1], mend: row[2](place) }
}

/**
 * Packages with a part for each kind of machine, and how the error of one that is missing or of another machine begins.
 */
const CODECS: readonly (readonly [name: string, problem: RegExp])[] = [
  [
    'sharp',
    /Could not load the "sharp" module|Something went wrong installing the "sharp" module|(?:Cannot find (?:module|package) '|tried to access )(?:sharp|@img\/)/,
  ],
  [
    '@napi-rs/image',
    /(?:Cannot find (?:module|package) '|tried to access )@napi-rs\/image|Failed to load native binding|native binding/,
  ],
  ['@jsquash/jxl', /(?:Cannot find (?:module|package) '|tried to access )@jsquash\/jxl|jxl_(?:enc|dec)\.wasm/],
  ['svgo', /(?:Cannot find (?:module|package) '|tried to access )svgo\b/],
]

/** An operation that the installed libvips was built without: sharp's own has all that are used. */
const MISSING_OPERATION = /class "\w+" not found|unsupported codec|built without/i

/**
 * Returns the error of an installation that lacks a part which every image of a kind needs; `undefined` for anything
 * else. Errors of disks are left to the caller, who knows what was written.
 */
export function codecFault(error: unknown): PixpressError | undefined {
  if (error instanceof PixpressError) return error.code === 'MACHINE_UNFIT' ? error : undefined
  const text = error instanceof Error ? `${systemErrorCode(error) ?? ''} ${error.message}` : String(error)
  const missing = CODECS.find(([, problem]) => problem.test(text))?.[0]
  if (missing !== undefined) return unfit(`${missing} is not installed for this machine (${machine()})`, missing, error)
  if (text.startsWith('ERR_DLOPEN_FAILED'))
    return unfit(`An image codec cannot be loaded on this machine (${machine()})`, 'sharp', error)
  if (MISSING_OPERATION.test(text))
    return unfit('The installed sharp lacks a codec, as it uses the libvips of this machine', 'sharp', error)
  return undefined
}

/**
 * Goes on without a part of an image whose content is the reason of a failure: `work.catch(withoutIt)`.
 * @throws what is a fault of the installation or of code, which no image is to blame for
 */
export function withoutIt(error: unknown): undefined {
  const fault = codecFault(error)
  if (fault !== undefined) throw fault
  if (isCodeError(error)) throw error
  return undefined
}

const unfit = (what: string, name: string, cause: unknown): PixpressError =>
  new PixpressError('MACHINE_UNFIT', `${what}. ${reinstall(name)}`, { cause })

const machine = (): string => `${process.platform}-${process.arch}`

/** Returns the sentence that tells how a package's part for this machine is installed. */
function reinstall(name: string): string {
  const program = packageManager()
  if (program === 'npm') return `Run: npm install --os=${process.platform} --cpu=${process.arch} ${name}`
  // Yarn 2 and later have no such flag, and look at every run whether all of it is there.
  if (program === 'yarn' && !/^yarn\/[01]\./.test(userAgent()))
    return "Add 'current' to 'supportedArchitectures' in .yarnrc.yml if that is there, and run: yarn install"
  return `Run: ${program} install --force`
}

/** Returns the command that adds packages to a project. */
export const adding = (packages: string): string =>
  `${packageManager()} ${packageManager() === 'npm' ? 'install' : 'add'} ${packages}`

const userAgent = (): string => process.env['npm_config_user_agent'] ?? ''

/** Returns the package manager that has started this process. */
function packageManager(): string {
  const [program = ''] = userAgent().split('/')
  return ['pnpm', 'yarn', 'bun'].includes(program) ? program : 'npm'
}
