import { element, bytesText } from '@pixpress/face'
import type { Job, Result } from './job.ts'
import { labelOf } from './types.ts'

let made = 0

/** Makes a choice between the results of a picture, each with its bytes. */
export function createPicks(job: Job, onChoose: (result: Result) => void): HTMLElement {
  const group = `picks-${made++}`
  if (job.state.kind !== 'done') return element('div')
  const { results, chosen } = job.state
  const picks = results.map((result) =>
    element(
      'label',
      { className: 'pick' },
      element('input', {
        type: 'radio',
        name: group,
        checked: result === chosen,
        onchange: () => onChoose(result),
      }),
      element('span', {}, labelOf(result.type), element('b', { textContent: bytesText(result.data.size) })),
    ),
  )
  return element('div', { className: 'picks', role: 'radiogroup', ariaLabel: `Type of ${job.file.name}` }, ...picks)
}
