import { element } from './element.ts'

/** Buttons of which one is pressed. */
export interface Segments<Value extends string> {
  readonly element: HTMLElement
  readonly value: Value
  /** Presses another button, which counts as the user's choice. */
  choose(value: Value): void
}

/**
 * Makes a row of buttons of which one is pressed.
 * @param name what is chosen, for those who do not see it
 * @param options values with what is shown for them; the first is pressed
 */
export function segmentedButtons<Value extends string>(
  name: string,
  options: readonly (readonly [value: Value, shown: string])[],
  onChange: (value: Value) => void,
): Segments<Value> {
  let chosen = options[0]![0]
  const buttons = options.map(([value, textContent]) =>
    element('button', {
      type: 'button',
      textContent,
      ariaPressed: String(value === chosen),
      onclick: () => choose(value),
    }),
  )
  function choose(value: Value): void {
    chosen = value
    for (const [at, button] of buttons.entries()) button.ariaPressed = String(options[at]![0] === value)
    onChange(value)
  }
  return {
    element: element('div', { className: 'segments', role: 'group', ariaLabel: name }, ...buttons),
    get value() {
      return chosen
    },
    choose,
  }
}
