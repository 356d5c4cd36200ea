import example from '../../../examples/images/dahlia.jpg?original'
import { element } from '../../../packages/face/src/index.ts'

/** Makes the place that takes a picture: by dropping, choosing or pasting it, or ours. */
export function createIntake(start: (file: Blob, name: string) => void): HTMLElement {
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0]
    if (file !== undefined) start(file, file.name)
  }
  const input = element('input', { type: 'file', accept: 'image/*', className: 'unseen' })
  input.addEventListener('change', () => take(input.files))
  const choose = element('button', { type: 'button', className: 'button main', textContent: 'Choose a picture' })
  choose.addEventListener('click', () => input.click())
  input.tabIndex = -1
  input.ariaLabel = 'Picture'
  const ours = element('button', { type: 'button', className: 'button', textContent: 'Take ours' })
  ours.addEventListener('click', () => void takeOurs(start))
  const zone = element(
    'div',
    { className: 'playground-zone' },
    element('p', { textContent: 'Drop a picture here. It stays in this browser.' }),
    element('div', { className: 'playground-buttons' }, choose, ours, input),
  )
  zone.addEventListener('dragover', (event) => {
    event.preventDefault()
    zone.classList.add('over')
  })
  zone.addEventListener('dragleave', () => zone.classList.remove('over'))
  zone.addEventListener('drop', (event) => {
    event.preventDefault()
    zone.classList.remove('over')
    take(event.dataTransfer?.files)
  })
  return zone
}

async function takeOurs(start: (file: Blob, name: string) => void): Promise<void> {
  const answer = await fetch(example)
  start(await answer.blob(), 'dahlia.jpg')
}
