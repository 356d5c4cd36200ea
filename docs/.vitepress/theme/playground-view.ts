import { defineComponent, h, onMounted, ref } from 'vue'

/** The place of the playground, whose script is loaded when the page is open. */
export const PlaygroundView = defineComponent({
  setup() {
    const place = ref<HTMLElement>()
    onMounted(async () => {
      const { createPlayground } = await import('../playground/page.ts')
      place.value!.replaceChildren(createPlayground())
    })
    return () =>
      h('div', { ref: place, class: 'face playground' }, [
        h('p', { class: 'dim' }, 'The playground needs JavaScript, as all of it runs in your browser.'),
      ])
  },
})
