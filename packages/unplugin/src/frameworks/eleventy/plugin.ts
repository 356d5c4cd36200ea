import path from 'node:path'
import { checkOptions } from '../../session/options/check-options.ts'
import type { Options } from '../../session/options/options.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import { openSession } from '../../session/registry.ts'
import { filesOf } from '../../base/files.ts'
import { compressCopy, findSources } from '../../copies/sources.ts'
import { createPageImages } from './pages.ts'

/** Describes what is used of Eleventy's configuration: https://www.11ty.dev/docs/config/ */
export interface EleventyConfig {
  readonly pathPrefix?: string
  addTransform(name: string, transform: (this: Page, content: string) => Promise<string>): void
  on(event: 'eleventy.before' | 'eleventy.after', action: (event: EleventyEvent) => Promise<void> | void): void
}

/** Describes what a transform is called on. */
interface Page {
  readonly page: { readonly inputPath: string; readonly outputPath: string | false }
}

interface EleventyEvent {
  /** Before version 3 `dir`; relative to the working folder. */
  readonly dir?: { readonly input: string; readonly output: string }
  readonly directories?: { readonly input: string; readonly output: string }
}

const warn = (message: string): void => console.warn(`[pixpress] ${message}`)

/**
 * pixpress for Eleventy 2 and later: a transform that gives pages compressed images under names of their content, with
 * directives in their URLs, and the compression of copied files (`addPassthroughCopy`) in the output.
 * @param options those of the plugin
 * @throws PixpressError `INVALID_OPTION`
 */
export function eleventyPlugin(config: EleventyConfig, options: Options = {}): void {
  checkOptions(options)
  const root = process.cwd()
  const session = openSession(options, root)
  let folders = { input: root, output: path.join(root, '_site') }
  const images = createPageImages(session, warn)

  config.on('eleventy.before', ({ directories, dir }) => {
    const given = directories ?? dir
    if (given !== undefined)
      folders = { input: path.resolve(root, given.input), output: path.resolve(root, given.output) }
  })
  config.addTransform('pixpress', async function (content) {
    const { inputPath, outputPath } = this.page
    if (outputPath === false || !/\.html?$/i.test(outputPath)) return content
    const page = { file: path.resolve(root, inputPath), output: path.resolve(root, outputPath) }
    return images.rewrite(content, page, { ...folders, prefix: config.pathPrefix ?? '/' })
  })
  config.on('eleventy.after', async () => {
    const { output } = folders
    const copies = (await filesOf(output)).filter((file) => IMAGE_FILE.test(file) && !images.written.has(file))
    if (session.options.publicDir && copies.length > 0) {
      const sources = await findSources(session, output)
      await Promise.all(copies.map((file) => compressCopy(session, file, sources, warn)))
    }
    await session.endBuild()
  })
}
