import { defineComponent, h, onMounted, ref } from 'vue'

/** A row of the table below the field, with what is looked for in it. */
interface Row {
  readonly element: HTMLTableRowElement
  readonly text: string
}

/**
 * A field that narrows the next table of the page down to the rows that have all words of it. Without scripts there is
 * the table alone.
 */
export const FilterField = defineComponent({
  props: { label: { type: String, required: true } },
  setup({ label }) {
    const place = ref<HTMLElement>()
    const shown = ref('')
    const isReady = ref(false)
    let rows: readonly Row[] = []
    const narrow = (asked: string): void => {
      const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
      let count = 0
      for (const { element, text } of rows) {
        const isAsked = words.every((word) => text.includes(word))
        element.hidden = !isAsked
        if (isAsked) count++
      }
      shown.value = `${count} of ${rows.length}`
    }
    onMounted(() => {
      const table = place.value?.parentElement?.querySelector('table')
      rows = [...(table?.tBodies[0]?.rows ?? [])].map((element) => ({
        element,
        text: (element.textContent ?? '').toLowerCase(),
      }))
      isReady.value = true
      narrow('')
    })
    return () =>
      h('div', { ref: place, class: 'face filter', hidden: !isReady.value }, [
        h('label', { class: 'label' }, [
          h('span', label),
          h('input', {
            class: 'field',
            type: 'search',
            onInput: (event: Event) => narrow((event.target as HTMLInputElement).value),
          }),
        ]),
        h('span', { role: 'status', class: 'dim small' }, shown.value),
      ])
  },
})
