import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAtLeast } from '../../bundlers/adapter/required-version.ts'
import { moduleIdentity } from '../../bundlers/webpack-like/identity.ts'
import type { Options } from '../../session/options/options.ts'
import { convertsAny } from '../../session/plan/image-operations.ts'
import { openSession } from '../../session/registry.ts'
import type { Session } from '../../session/session.ts'
import { nextVersion } from './version.ts'
import type { NextConfig } from './next-config.ts'
import { TURBOPACK_SINCE, namesByType, withRules } from './turbopack/rules.ts'
import { startService } from './turbopack/service.ts'
import { standInFolder, writeStandIns } from './turbopack/stand-ins.ts'

/** The first version whose configuration may have `turbopack`: older ones warn of a key that they do not know. */
const KEY_SINCE = '15.3'

/**
 * The parts of Next.js's configuration by which Turbopack compresses images. Where Turbopack does not run, or is too
 * old, they say nothing but that the project knows of it: Next.js refuses a project that has webpack's configuration
 * and none for Turbopack.
 * @param isExported whether `pixpress-next` follows, which makes the smaller sizes of images from untouched ones
 */
export function forTurbopack(
  given: NextConfig,
  options: Options,
  isExported: boolean,
): Pick<NextConfig, 'turbopack' | 'compiler'> {
  const root = process.cwd()
  const version = nextVersion(root)
  if (version !== undefined && !isAtLeast(version, KEY_SINCE)) return {}
  const turbopack = given.turbopack ?? {}
  // Next.js sets it before it reads a configuration.
  if (!process.env['TURBOPACK'] || version === undefined || !isAtLeast(version, TURBOPACK_SINCE)) return { turbopack }
  const session = openSession(options, root)
  const standIns = standInFolder(root)
  writeStandIns(standIns)
  startService({ session, root, standIns, namesByType: namesByType(version) })
  const isServed = process.env['NODE_ENV'] !== 'production'
  return {
    turbopack: withRules(turbopack, {
      version,
      loader: loaderFile(),
      options: { build: moduleIdentity(session), keeps: isServed || isExported },
    }),
    compiler: {
      ...given.compiler,
      async runAfterProductionCompile(build) {
        await given.compiler?.runAfterProductionCompile?.(build)
        tellOfOptions(session, options)
        await session.endBuild()
      },
    },
  }
}

const loaderFile = (): string =>
  fileURLToPath(new URL(`./turbopack/loader${path.extname(import.meta.url)}`, import.meta.url))

/** Names what only webpack can do. */
function tellOfOptions({ log, options }: Session, { store }: Options): void {
  const unused = [...(convertsAny(options) ? ['convert'] : []), ...(store === undefined ? [] : ['store'])]
  for (const option of unused) log.hint(`'${option}' is for builds with webpack: ${MEANWHILE[option]!}`)
}

const MEANWHILE: Readonly<Record<string, string>> = {
  convert: 'with Turbopack images keep their type, unless their import asks for another (?format=webp).',
  store: 'with Turbopack images stay in the output.',
}
