/** Makes an element with properties and children. Text is never markup, as names of files come from outside. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Makes a button. */
export const button = (textContent: string, title: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', textContent, title, onclick })

/** Makes a button that copies a text, and says so in its title or its own text. */
export function copyButton(label: string, text: string, says: 'title' | 'textContent'): HTMLButtonElement {
  const made = button(label, says === 'title' ? 'Copy' : '', () => {
    void navigator.clipboard.writeText(text).then(() => {
      made[says] = 'Copied'
    })
  })
  return made
}

/** Finds an element of the page's own markup. */
export const byId = <Element extends HTMLElement>(id: string): Element => document.querySelector<Element>(`#${id}`)!
