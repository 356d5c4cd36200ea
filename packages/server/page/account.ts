import { createService } from './service.ts'
import type { Service } from './service.ts'
import { refusalOf } from './refusal.ts'

/** The elements that ask for a key. */
export interface AccountElements {
  readonly form: HTMLFormElement
  readonly key: HTMLInputElement
  /** The part that is hidden as long as no key has to be entered. */
  readonly field: HTMLElement
  readonly details: HTMLDetailsElement
  readonly title: HTMLElement
  readonly problem: HTMLElement
  /** The key comes with the URL from the terminal, and ends with the server. */
  readonly isPersonal: boolean
}

/** The account that this page works for. */
export interface Account {
  /** There is one once a key has been found right. */
  readonly service: Service | undefined
  /** Shows the field for a key, and why it is needed. */
  ask(reason: string): void
}

/**
 * Finds the key: in the URL that the server prints on its own machine, where it stands behind `#`, which browsers keep
 * to themselves, or in the field.
 */
export function createAccount(
  elements: AccountElements,
  onCount: (count: number) => void,
  onReady: () => void,
): Account {
  const { form, key, field, details, title, problem, isPersonal } = elements
  let service: Service | undefined

  function showField(isShown: boolean): void {
    field.hidden = !isShown
    title.textContent = isShown ? 'Key, crop, background' : 'Crop, background'
  }

  function ask(reason: string): void {
    problem.textContent = reason
    if (isPersonal) return
    showField(true)
    details.open = true
    key.focus()
  }

  async function signIn(given: string): Promise<void> {
    problem.textContent = ''
    const candidate = createService(given, onCount)
    try {
      if (!isPersonal && !(await candidate.validate())) {
        ask('The server does not know this key. Enter another one.')
        return
      }
      service = candidate
      details.open = false
      onReady()
    } catch (error) {
      const { what } = refusalOf(error, new File([], ''), Infinity)
      ask(`${what} Try the key again.`)
    }
  }

  function takeKeyOfUrl(): void {
    const given = new URLSearchParams(location.hash.slice(1)).get('key')
    if (given === null) return
    // Neither the address bar nor the history is a place for a key that outlives the page; without one that does not,
    // a person could not load the page again.
    if (!isPersonal) history.replaceState(null, '', location.pathname + location.search)
    showField(false)
    void signIn(given)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void signIn(key.value.trim())
  })
  showField(!isPersonal)
  takeKeyOfUrl()
  window.addEventListener('hashchange', takeKeyOfUrl)
  return {
    get service() {
      return service
    },
    ask,
  }
}
