import { visibleText } from './visible-text.ts'

/** Characters that a message shows of a value, and levels of lists and objects. */
const LONGEST = 60
const DEEPEST = 8

/**
 * Shows a value in a message, as JSON where it is a list or an object. The time and the text are bounded, whatever the
 * value holds: it may be as deep as a request allows, contain itself, or throw when it is read.
 */
export function shownValue(value: unknown): string {
  // A line break in a value would make two lines of one sentence.
  if (typeof value === 'string') return `'${visibleText(cut(value))}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    const printer = new Printer()
    printer.write(value, 0)
    return visibleText(cut(printer.text))
  } catch {
    return 'an object that cannot be read'
  }
}

/** Returns a text of at most 60 characters. */
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text)

/** Writes JSON until there is more than is shown. */
class Printer {
  text = ''

  write(value: unknown, depth: number): void {
    if (this.#isFull) return
    const plain = typeof value === 'object' && value !== null && 'toJSON' in value ? asJson(value) : value
    if (typeof plain === 'string') this.text += JSON.stringify(cut(plain))
    else if (typeof plain !== 'object' || plain === null) this.text += isWritten(plain) ? String(plain) : 'null'
    else if (depth === DEEPEST) this.text += '…'
    else if (Array.isArray(plain)) this.#list(plain, depth)
    else this.#object(plain, depth)
  }

  get #isFull(): boolean {
    return this.text.length > LONGEST
  }

  #list(values: readonly unknown[], depth: number): void {
    this.text += '['
    for (let index = 0; index < values.length && !this.#isFull; index++) {
      if (index > 0) this.text += ','
      this.write(values[index], depth + 1)
    }
    this.text += ']'
  }

  #object(values: object, depth: number): void {
    let separator = '{'
    for (const [key, value] of Object.entries(values)) {
      if (this.#isFull) break
      if (!isWritten(value)) continue
      this.text += `${separator}${JSON.stringify(cut(key))}:`
      this.write(value, depth + 1)
      separator = ','
    }
    this.text += separator === '{' ? '{}' : '}'
  }
}

/** JSON has no word for these. */
const isWritten = (value: unknown): boolean =>
  typeof value !== 'function' && typeof value !== 'symbol' && value !== undefined

const asJson = (value: object & { readonly toJSON: unknown }): unknown =>
  typeof value.toJSON === 'function' ? (value.toJSON as () => unknown)() : value
