import { element, bytesText, changeText } from '@pixpress/face'
import { save } from './archive.ts'
import type { Job, State } from './job.ts'
import { createPicks } from './picks.ts'
import { thumbnailOf } from './thumbnail.ts'

/** The actions of a picture's buttons. */
export interface RowActions {
  compare(job: Job): void
  retry(job: Job): void
  remove(job: Job): void
}

/** A picture in the list. */
export interface Row {
  readonly element: HTMLElement
  /** Shows what has become of it. */
  update(): void
  /** Lets its memory go. */
  dispose(): void
}

/** Creates the line of a picture. */
export function createRow(job: Job, actions: RowActions): Row {
  const { name, size } = job.file
  const thumbnail = createThumbnail()
  const about = element('span', { className: 'small dim' })
  const body = element('div', { className: 'job-body' })
  const buttons = element('div', { className: 'job-buttons' })
  const row = element(
    'li',
    { className: 'job' },
    thumbnail.element,
    element('div', { className: 'job-name' }, element('b', { textContent: name, title: name }), about),
    body,
    buttons,
  )
  void thumbnail.show(job.file)

  const button = (textContent: string, act: () => void): HTMLElement =>
    element('button', {
      type: 'button',
      className: 'button',
      textContent,
      ariaLabel: `${textContent} ${name}`,
      onclick: act,
    })

  /** Lists the buttons of a state, which stay as they are until it is another one. */
  const buttonsOf = (state: State): HTMLElement[] => {
    if (state.kind === 'done') {
      return [button('Compare', () => actions.compare(job)), button('Download', () => saveChosen(job))]
    }
    if (state.kind !== 'failed') return [button('Cancel', () => actions.remove(job))]
    const again = button('Try again', () => actions.retry(job))
    return [...(state.refusal.canRetry ? [again] : []), button('Remove', () => actions.remove(job))]
  }

  function update(): void {
    const { state } = job
    // Waiting and working are one state to the buttons.
    const kind = state.kind === 'waiting' ? 'working' : state.kind
    const isNew = buttons.dataset['of'] !== kind
    buttons.dataset['of'] = kind
    row.dataset['state'] = state.kind
    if (isNew) keepFocus(buttons, 'button', () => buttons.replaceChildren(...buttonsOf(state)))
    if (state.kind === 'done') {
      const { chosen } = state
      about.textContent = chosen.width > 0 ? `${chosen.width} × ${chosen.height}` : ''
      const picks = createPicks(job, (result) => job.choose(result))
      keepFocus(body, ':checked', () => body.replaceChildren(outcome(size, chosen.data.size), picks))
      if (isNew) void thumbnail.show(chosen.data)
    } else if (state.kind === 'failed') {
      const { what, remedy } = state.refusal
      about.textContent = 'not compressed'
      body.replaceChildren(element('p', { className: 'refusal' }, element('b', { textContent: what }), ` ${remedy}`))
      thumbnail.fail()
    } else {
      about.textContent = bytesText(size)
      showProgress(body, state, name)
    }
  }
  return { element: row, update, dispose: () => thumbnail.dispose() }
}

/** Saves the chosen one of a picture's results. */
export function saveChosen({ state }: Job): void {
  if (state.kind === 'done') save(state.chosen.data, state.chosen.name)
}

/** Replaces what may have the focus, which goes to the first that takes its place. */
function keepFocus(place: HTMLElement, selector: string, replace: () => void): void {
  const hadFocus = place.contains(document.activeElement)
  replace()
  if (hadFocus) place.querySelector<HTMLElement>(selector)?.focus()
}

interface Thumbnail {
  readonly element: HTMLElement
  /** Shows a picture, unless there is one. */
  show(picture: Blob): Promise<void>
  /** Puts a mark where there is no picture. */
  fail(): void
  dispose(): void
}

function createThumbnail(): Thumbnail {
  const place = element('div', { className: 'thumbnail' })
  let url: string | undefined
  return {
    element: place,
    async show(picture) {
      if (url !== undefined) return
      url = await thumbnailOf(picture)
      if (url !== undefined) place.replaceChildren(element('img', { src: url, alt: '' }))
    },
    fail() {
      if (place.childElementCount === 0) place.append(element('span', { className: 'mark' }))
    },
    dispose() {
      if (url !== undefined) URL.revokeObjectURL(url)
    },
  }
}

function outcome(before: number, after: number): HTMLElement {
  const bar = element('i')
  bar.style.width = `${Math.min(100, (after / Math.max(1, before)) * 100)}%`
  return element(
    'div',
    { className: 'outcome' },
    element(
      'p',
      {},
      `${bytesText(before)} → `,
      element('b', { textContent: bytesText(after) }),
      ` ${changeText(before, after)}`,
    ),
    element('div', { className: 'bar' }, bar),
  )
}

/** Changes the bar that is there, as a new one would not be read as the same. */
function showProgress(body: HTMLElement, state: State & { readonly kind: 'waiting' | 'working' }, name: string): void {
  const [says, share] = state.kind === 'waiting' ? ['Waiting', 0] : [state.says, state.share]
  const known = body.querySelector('progress')
  if (known !== null) {
    known.previousElementSibling!.textContent = says
    known.value = share
    return
  }
  body.replaceChildren(
    element(
      'div',
      { className: 'outcome' },
      element('p', { className: 'dim', textContent: says }),
      element('progress', { max: 1, value: share, ariaLabel: name }),
    ),
  )
}
