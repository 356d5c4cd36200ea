import { element } from './element.ts'

/** Milliseconds for which a button says what became of a copy. */
const SAID = 2000

/** Makes a text of code with a button that copies it. */
export function codeToCopy(text: string, subject = ''): HTMLElement {
  const code = element('code', { tabIndex: -1 }, ...breakable(text))
  const button = element('button', { type: 'button', className: 'button', textContent: 'Copy' })
  if (subject !== '') button.ariaLabel = `Copy ${subject}`
  const state = element('span', { role: 'status', className: 'unseen' })
  button.addEventListener('click', () => {
    void copy(text, code).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      state.textContent = isCopied ? 'Copied' : 'The text is selected. Press Ctrl+C to copy it.'
      setTimeout(() => {
        button.textContent = 'Copy'
        state.textContent = ''
      }, SAID)
    })
  })
  return element('div', { className: 'copy' }, code, button, state)
}

/** Long code is broken behind its separators rather than hidden or broken anywhere. */
function breakable(text: string): (Node | string)[] {
  return text.split(/(?<=[?&;])/).flatMap((part, at) => (at === 0 ? [part] : [document.createElement('wbr'), part]))
}

/** Copies a text. Browsers refuse that to pages without encryption, where the text is selected instead. */
async function copy(text: string, code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    code.focus()
    return false
  }
}
