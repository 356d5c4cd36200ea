import { element } from '@pixpress/face'

/** Makes a button. */
export const button = (textContent: string, title: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', textContent, title, onclick })

/** Makes a button that copies a text, and says so in its title. */
export function copyButton(label: string, text: string): HTMLButtonElement {
  const made = button(label, 'Copy', () => {
    void navigator.clipboard.writeText(text).then(() => {
      made.title = 'Copied'
    })
  })
  return made
}

/** Finds an element of the page's own markup. */
export const byId = <Element extends HTMLElement>(id: string): Element => document.querySelector<Element>(`#${id}`)!
