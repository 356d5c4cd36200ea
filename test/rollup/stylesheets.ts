import { readFile } from 'node:fs/promises'
import postcss from 'postcss'
import pixpressForPostcss from 'unplugin-pixpress/postcss'
import type { Options } from 'unplugin-pixpress/rollup'

/**
 * Handles stylesheets like plugins for them: PostCSS, then an asset of all text, or a module that puts it into the
 * page.
 * @param options those of the PostCSS plugin
 */
export function stylesheets(options: Options, extract: boolean): object {
  const texts: string[] = []
  return {
    name: 'stylesheets',
    async load(file: string) {
      if (!file.endsWith('.css')) return null
      const plugin = pixpressForPostcss(options)
      const { css } = await postcss([plugin]).process(await readFile(file, 'utf8'), { from: file, to: file })
      texts.push(css)
      const code = extract ? 'export default ""' : `document.head.append(${JSON.stringify(css)})`
      return { code, moduleType: 'js', moduleSideEffects: true }
    },
    generateBundle(this: { emitFile(file: object): string }) {
      if (extract) this.emitFile({ type: 'asset', fileName: 'css/style.css', source: texts.join('\n') })
    },
  }
}
