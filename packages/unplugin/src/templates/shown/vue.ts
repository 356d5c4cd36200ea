import { h } from 'vue'
import type { FunctionalComponent } from 'vue'
import type { ShownImage } from './shown-image.ts'

/** A source would be an item of the flex or grid box that the image stands in. */
const HIDDEN = { display: 'none' }

/**
 * Stands around an `<img>` of a template: puts a `<picture>` around it where the build offers the image in several
 * types.
 */
const Image: FunctionalComponent<{ of: ShownImage }> = ({ of }, { slots }) => {
  const shown = slots['default']?.()
  if (of.sources === undefined) return shown
  const sources = of.sources.map(({ type, srcset }) => h('source', { key: type, type, srcset, style: HIDDEN }))
  return h('picture', { 'data-pixpress': '', style: { display: 'contents' } }, [...sources, shown])
}
Image.props = ['of']
Image.inheritAttrs = false

export default Image
