import { PixpressError } from '@pixpress/core'
import { withoutStack } from '../../session/options/check-options.ts'

/** The oldest versions that are supported, as in the manifest's `peerDependencies`. */
const REQUIRED = {
  Vite: '5.4',
  webpack: '5.90',
  Rspack: '1.5',
} as const

/** Holds what is installed for the least step that is enough. */
const UPDATES: Readonly<Record<keyof typeof REQUIRED, string>> = {
  Vite: 'vite@5',
  webpack: 'webpack@5',
  Rspack: '@rspack/core@1 @rspack/cli@1',
}

/** How each package manager adds a package for development. */
const COMMANDS: Readonly<Record<string, string>> = {
  pnpm: 'pnpm add -D',
  yarn: 'yarn add -D',
  bun: 'bun add -d',
}

/**
 * Refuses a bundler that is too old, before something that it does not have is missed.
 * @param found its version; `undefined` where it is too old to tell
 * @throws PixpressError `INVALID_OPTION`
 */
export function requireVersion(bundler: keyof typeof REQUIRED, found: string | undefined): void {
  const required = REQUIRED[bundler]
  if (found !== undefined && isAtLeast(found, required)) return
  const shown = found === undefined ? 'this one is older' : `this is ${found}`
  const said = `pixpress needs ${bundler} ${required} or newer, and ${shown}.`
  throw withoutStack(new PixpressError('INVALID_OPTION', `${said} Update it: ${updateCommand(bundler)}`))
}

/** In the words of the package manager that runs the build; npm's where none does. */
function updateCommand(bundler: keyof typeof REQUIRED): string {
  const manager = process.env['npm_config_user_agent']?.split('/')[0] ?? ''
  return `${COMMANDS[manager] ?? 'npm install --save-dev'} ${UPDATES[bundler]}`
}

/** Compares major and minor version: returns `true` if `version` is `required` or newer. */
export function isAtLeast(version: string, required: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number)
  return major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)
}
