/** A child of an element; `undefined` stands for none. */
type Child = Node | string | undefined

/** Makes an element with properties and children. Text is never markup, as names of files come from outside. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** Makes a form's control with its label. */
export const labelled = (text: string, control: HTMLElement): HTMLLabelElement =>
  element('label', { className: 'label' }, element('span', { textContent: text }), control)

/** Makes a list to choose one of: values with what is shown for them. */
export const choice = (options: readonly (readonly [value: string, shown: string])[]): HTMLSelectElement =>
  element(
    'select',
    { className: 'field' },
    ...options.map(([value, textContent]) => element('option', { value, textContent })),
  )
