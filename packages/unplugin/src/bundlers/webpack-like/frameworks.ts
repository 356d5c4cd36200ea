import path from 'node:path'
import type { Session } from '../../session/session.ts'
import { convertsAny } from '../../session/plan/image-operations.ts'
import { copiedImages } from '../../copies/copied-images.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilerLike, CompilerOptionsLike } from './compiler.ts'

/** A framework that delivers `public/` past the bundler's assets. */
interface Framework {
  readonly name: string
  isUsed(options: CompilerOptionsLike): boolean
  /** Holds what compresses the folder instead, as the end of a sentence. */
  readonly instead: string
  /** Says that its own loader makes the modules of imports, where the options convert images. */
  readonly imports?: string
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Next.js',
    // It has several compilers.
    isUsed: ({ name, resolveLoader }) => name === 'client' && 'next-image-loader' in Object(resolveLoader?.alias),
    instead: "'pixpress compress public' compresses it in place",
    imports:
      "'convert' keeps the format of imports, as next/image makes its sizes from them: add ?format=webp to convert one.",
  },
  {
    name: 'Rsbuild',
    isUsed: ({ plugins }) => plugins?.some((plugin) => plugin?.constructor.name === 'RsbuildHtmlPlugin') === true,
    instead: "'unplugin-pixpress/rsbuild', as a plugin of Rsbuild, compresses it too",
  },
]

/**
 * Says in one line each what a framework keeps from the bundler: images of `public/`, and the format of imports.
 */
export function tellOfFramework(compiler: CompilerLike, { log, matches, options }: Session): void {
  compiler.hooks.run.tapPromise(PLUGIN_NAME, async () => {
    const framework = FRAMEWORKS.find(({ isUsed }) => isUsed(compiler.options))
    if (framework?.imports !== undefined && convertsAny(options)) log.hint(framework.imports)
    if (framework === undefined || !options.publicDir) return
    const { length } = await copiedImages({ matches }, path.join(compiler.context, 'public'))
    if (length === 0) return
    const images = length === 1 ? '1 image' : `${length} images`
    const message = `${images} of public/ ${length === 1 ? 'stays as it is' : 'stay as they are'}: ${framework.name} delivers that folder itself; ${framework.instead}.`
    log.once(message, () => log.warning(message))
  })
}
