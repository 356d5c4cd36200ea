import { codeToCopy, createComparison, element, bytesText, changeText, segmentedButtons } from '@pixpress/face'
import type { Side } from '@pixpress/face'
import { saveArchive } from './archive.ts'
import type { Job, Result } from './job.ts'
import { createPicks } from './picks.ts'
import { saveChosen } from './row.ts'
import { snippetsOf } from './snippets.ts'
import { labelOf } from './types.ts'

/** A dialog over the whole window that compares a picture before and after. */
export interface Detail {
  readonly element: HTMLDialogElement
  open(job: Job): void
}

/** Creates the dialog. */
export function createDetail(): Detail {
  const title = element('h2', { id: 'detail-title', className: 'detail-title', tabIndex: -1 })
  const sentence = element('p', { className: 'dim' })
  const content = element('div')
  const close = element('button', { type: 'button', className: 'button push', textContent: 'Close' })
  const dialog = element(
    'dialog',
    { className: 'detail' },
    element('div', { className: 'detail-head' }, element('div', {}, title, sentence), close),
    content,
  )
  dialog.setAttribute('aria-labelledby', title.id)
  close.addEventListener('click', () => dialog.close())
  let urls: string[] = []
  const urlOf = (blob: Blob): string => {
    const url = URL.createObjectURL(blob)
    urls.push(url)
    return url
  }
  dialog.addEventListener('close', () => {
    for (const url of urls) URL.revokeObjectURL(url)
    urls = []
    content.replaceChildren()
  })

  function open(job: Job): void {
    if (job.state.kind !== 'done') return
    const { file } = job
    title.textContent = file.name
    const sideOf = ({ data, type }: Result): Side => side(urlOf(data), data.size, type)
    const comparison = createComparison({
      name: file.name,
      before: side(urlOf(file), file.size, job.type ?? file.type),
      after: sideOf(job.state.chosen),
      size: job.state.chosen,
    })
    const copies = element('div', { className: 'detail-copies' })
    const say = (chosen: Result): void => {
      const { width, height, data } = chosen
      const pixels = width > 0 ? `, ${width} × ${height} pixels` : ''
      sentence.textContent = `${bytesText(file.size)} became ${bytesText(data.size)}, ${changeText(file.size, data.size)}${pixels}.`
      copies.replaceChildren(...copiesOf(job, chosen))
    }
    const picks = createPicks(job, (result) => {
      job.choose(result)
      comparison.show(sideOf(result), result)
      say(result)
    })
    say(job.state.chosen)
    content.replaceChildren(
      comparison.element,
      element('div', { className: 'detail-below' }, picks, downloads(job)),
      copies,
    )
    dialog.showModal()
    comparison.element.querySelector<HTMLElement>('[role=slider]')!.focus()
  }
  return { element: dialog, open }
}

const side = (source: string, bytes: number, type: string): Side => ({
  source,
  facts: `${labelOf(type)}, ${bytesText(bytes)}`,
  missing: `This browser cannot show ${labelOf(type)} pictures.`,
})

const button = (textContent: string, onclick: () => void): HTMLElement =>
  element('button', { type: 'button', className: 'button', textContent, onclick })

function downloads(job: Job): HTMLElement {
  const one = button('Download', () => saveChosen(job))
  const count = job.state.kind === 'done' ? job.state.results.length : 0
  const all = button(`Download all ${count} types`, () => {
    if (job.state.kind === 'done') void saveArchive(job.state.results, `${job.file.name}.zip`)
  })
  return element('div', { className: 'job-buttons' }, one, count > 1 ? all : undefined)
}

/** The texts that do the same elsewhere, one at a time. */
function copiesOf(job: Job, chosen: Result): HTMLElement[] {
  const snippets = snippetsOf(job, chosen)
  const place = element('div')
  const show = (name: string): void => {
    const { text } = snippets.find((each) => each.name === name)!
    place.replaceChildren(codeToCopy(text, name))
  }
  const names = segmentedButtons(
    'Copy as',
    snippets.map(({ name }) => [name, name] as const),
    show,
  )
  show(snippets[0]!.name)
  const head = element(
    'div',
    { className: 'detail-copy-head' },
    element('h3', { textContent: 'Do the same elsewhere' }),
    names.element,
  )
  const hint = element('p', { className: 'small dim', textContent: 'The key is read from the variable PIXPRESS_KEY.' })
  return [head, place, hint]
}
