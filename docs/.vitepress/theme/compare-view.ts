import { defineComponent, h, onMounted, ref } from 'vue'
import source from '../../../examples/images/dahlia.jpg?original'
import picture from '../../../examples/images/dahlia.jpg?format=avif;webp;jpg&as=picture'
import { bytesText, changeText, createComparison, typeLabel } from '../../../packages/face/src/index.ts'
import { data as facts } from './dahlia.data.ts'

const NAME = 'dahlia.jpg'

/** Its place in windows of these widths. */
const SIZES = '(min-width: 480px) 400px, calc(100vw - 48px)'

/** Bytes that this page took over the network for a URL; 0 where the browser does not tell. */
const bytesOf = (url: string): number => {
  const [entry] = performance.getEntriesByName(new URL(url, location.href).href) as PerformanceResourceTiming[]
  return entry?.decodedBodySize ?? 0
}

/**
 * A photograph as pixpress delivers it, which the page loads, and a button that loads the source as well and compares
 * the two. Whoever does not ask spares the source's bytes.
 */
export const CompareView = defineComponent({
  setup() {
    const place = ref<HTMLElement>()
    const image = ref<HTMLImageElement>()
    const figure = ref('')
    const isComparing = ref(false)
    const tell = (): void => {
      const bytes = bytesOf(image.value?.currentSrc ?? '')
      if (bytes > 0) figure.value = `${bytesText(facts.bytes)} → ${bytesText(bytes)}, ${changeText(facts.bytes, bytes)}`
    }
    onMounted(() => {
      if (image.value?.complete === true) tell()
    })
    const compare = (): void => {
      const after = image.value!.currentSrc
      const bytes = bytesOf(after)
      const type = typeLabel(/\.(\w+)(?:\?|$)/.exec(after)?.[1] ?? 'jpg')
      const { element } = createComparison({
        name: NAME,
        before: {
          source,
          facts: `${typeLabel('jpg')}, ${bytesText(facts.bytes)}`,
          missing: 'The source could not be loaded. Reload the page.',
        },
        after: {
          source: after,
          facts: bytes > 0 ? `${type}, ${bytesText(bytes)}` : type,
          missing: 'The result could not be loaded. Reload the page.',
        },
        size: facts.size,
      })
      isComparing.value = true
      place.value!.replaceChildren(element)
      element.querySelector<HTMLElement>('[role=slider]')?.focus()
    }
    return () =>
      h('div', { class: 'face compare-view' }, [
        h('div', { ref: place, hidden: !isComparing.value }),
        isComparing.value
          ? undefined
          : h('figure', [
              h('picture', [
                ...Object.entries(picture.sources).map(([type, srcset]) =>
                  h('source', { type: `image/${type}`, srcset: srcset as string, sizes: SIZES }),
                ),
                h('img', {
                  ref: image,
                  src: picture.img.src,
                  width: picture.img.w,
                  height: picture.img.h,
                  alt: 'A dahlia, as pixpress delivers it',
                  fetchpriority: 'high',
                  onLoad: tell,
                }),
              ]),
              h('figcaption', [
                h('span', { class: 'compare-bytes' }, figure.value),
                h('button', { class: 'button', type: 'button', onClick: compare }, [
                  `Compare with the source, ${bytesText(facts.bytes)}`,
                ]),
              ]),
            ]),
      ])
  },
})
