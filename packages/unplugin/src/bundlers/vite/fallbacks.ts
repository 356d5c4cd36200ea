import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { convertOutput } from '../../fallbacks/convert-output.ts'
import type { Output } from '../../fallbacks/convert-output.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { finishReference } from '../../modules/reference.ts'
import { splitUrl } from '../../references/url.ts'
import type { Warn } from '../../session/images.ts'
import { buildConfig } from './project.ts'
import type { LocatedImage, ProjectHolder, ViteProject } from './project.ts'

/** A fragment of an image's URL in a stylesheet. Elsewhere no fragment of an image looks like it. */
const MARK = /#pixpress-[\da-f]{16}/g

/** Whether pages and stylesheets of a project offer images in several types: in builds, as that takes finished images. */
export function offersOthers({ session, isServed }: ViteProject): boolean {
  return session.besides.isWanted && !isServed
}

/**
 * The URL in a stylesheet with a mark of what will be offered beside the image. Vite names stylesheets by their content
 * before they are converted, and a name must not stand for other content later; the mark is taken away in the end.
 */
export async function withMark(project: ViteProject, image: LocatedImage, url: string): Promise<string> {
  if (url.startsWith('data:') || splitUrl(url).hash !== '') return url
  const { session, warn } = project
  const finished = await finishReference(session, image, 'beside', warn)
  const offer = finished && (await session.besides.of(finished.data, warn))
  if (offer === undefined || offer.others.length === 0) return url
  const hash = createHash('sha256')
  for (const { data } of offer.others) hash.update(data)
  return `${url}#pixpress-${hash.digest('hex').slice(0, 16)}`
}

/** Pages and stylesheets that offer images in several types: what Vite has written is changed, so that no minifier sees both. */
export function fallbacks(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:fallbacks',
    enforce: 'post',
    apply: 'build',
    // A hook that sees the bundle has Rolldown translate all of its assets for it.
    applyToEnvironment: ({ config }) => config.consumer === 'client' && offersOthers(holder.current),
    generateBundle: {
      // Vite emits pages in a hook of this name.
      order: 'post',
      async handler(_options, bundle) {
        const project = holder.current
        const { session, config } = project
        // Vite 5 has the hook called in any case.
        if (!offersOthers(project) || buildConfig(project, this).build.ssr !== false) return
        const { base } = config
        const warn: Warn = (message) => this.warn(message)
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !/\.(?:css|html?)$/i.test(name)) continue
          const text = Buffer.from(file.source).toString('utf8')
          const unmarked = text.replace(MARK, '')
          if (unmarked !== text) file.source = unmarked
        }
        const output: Output = {
          base: base === './' ? '' : base,
          names: Object.keys(bundle).filter((name) => bundle[name]!.type === 'asset'),
          read(name) {
            const file = bundle[name]
            return file?.type === 'asset' ? Buffer.from(file.source) : undefined
          },
          write(name, text) {
            const file = bundle[name]
            if (file?.type === 'asset') file.source = text
          },
          emit: async (image) => {
            const name = await distinctName(session, image)
            return this.getFileName(this.emitFile({ type: 'asset', name, source: image.data }))
          },
        }
        await convertOutput(session, output, warn)
      },
    },
  }
}
