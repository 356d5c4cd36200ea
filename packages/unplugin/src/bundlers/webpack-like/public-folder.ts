import path from 'node:path'
import type { Session } from '../../session/session.ts'
import { copiedImages } from '../../copies/copied-images.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilerLike, CompilerOptionsLike } from './compiler.ts'

/** A framework that delivers `public/` past the bundler's assets. */
interface Framework {
  readonly name: string
  isUsed(options: CompilerOptionsLike): boolean
  /** Holds what compresses the folder instead, as the end of a sentence. */
  readonly instead: string
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Next.js',
    // It has several compilers.
    isUsed: ({ name, resolveLoader }) => name === 'client' && 'next-image-loader' in Object(resolveLoader?.alias),
    instead: "'pixpress compress public' compresses it in place",
  },
  {
    name: 'Rsbuild',
    isUsed: ({ plugins }) => plugins?.some((plugin) => plugin?.constructor.name === 'RsbuildHtmlPlugin') === true,
    instead: "'unplugin-pixpress/rsbuild', as a plugin of Rsbuild, compresses it too",
  },
]

/**
 * Says in one line where images of `public/` stay as they are, since the framework does not show them to the bundler.
 */
export function tellOfPublicFolder(compiler: CompilerLike, { log, matches, options }: Session): void {
  if (!options.publicDir) return
  compiler.hooks.run.tapPromise(PLUGIN_NAME, async () => {
    const framework = FRAMEWORKS.find(({ isUsed }) => isUsed(compiler.options))
    if (framework === undefined) return
    const { length } = await copiedImages({ matches }, path.join(compiler.context, 'public'))
    if (length === 0) return
    const images = length === 1 ? '1 image' : `${length} images`
    const message = `${images} of public/ ${length === 1 ? 'stays as it is' : 'stay as they are'}: ${framework.name} delivers that folder itself; ${framework.instead}.`
    log.once(message, () => log.warning(message))
  })
}
