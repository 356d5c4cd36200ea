import { PixpressError } from '@pixpress/core'
import type { Operations } from '@pixpress/core'
import {
  OPERATION_FLAGS,
  didYouMean,
  invalidOption,
  operationsFromFlags,
  resolveOperations,
} from '@pixpress/core/internal'

/** The request of a delivery URL. */
export interface DeliveryRequest {
  /** Without `convert` where the type is negotiated. */
  readonly operations: Operations
  /** `auto`: the client's `Accept` decides. `own`: the type stays. `asked`: the operations name it. */
  readonly type: 'auto' | 'own' | 'asked'
  /** Seconds since 1970 after which the URL is refused. */
  readonly expires: number | undefined
  /** The file name under which a browser saves the picture instead of showing it. */
  readonly download: string | undefined
}

/** Presets by their names: operations as they stand in a URL. */
export type DeliveryPresets = ReadonlyMap<string, string>

/** Short words of flags of the command. */
const SHORT: Readonly<Record<string, string>> = {
  w: 'width',
  h: 'height',
  q: 'quality',
  fit: 'resize',
  format: 'convert',
}

/** Words that are no operations. `v` means nothing: another value makes another URL. */
const OWN = ['preset', 'expires', 'download', 'v'] as const

const KNOWN: readonly string[] = [...Object.keys(SHORT), ...Object.keys(OPERATION_FLAGS), ...OWN]

/** Operations that ask for nothing. */
const NOTHING = '-'

/**
 * Reads operations such as `w=640;quality=70;grayscale`: the flags of the command without their dashes, and short words
 * for the usual ones. A preset's operations come first, and the URL's own overrule them.
 * @throws PixpressError `INVALID_OPTION` for an unknown word, one that is given twice, or a value that is not accepted
 */
export function readOperations(text: string, presets: DeliveryPresets): DeliveryRequest {
  const words = readWords(text)
  const name = words.get('preset')
  const preset = name === undefined ? undefined : presets.get(name)
  if (name !== undefined && preset === undefined) {
    throw new PixpressError('INVALID_OPTION', `Unknown preset '${name}'. ${didYouMean(name, [...presets.keys()])}`)
  }
  const base = preset === undefined ? new Map<string, string>() : readWords(preset)
  if (base.has('preset')) {
    throw new PixpressError('INVALID_OPTION', `The preset '${name}' names another preset, which presets cannot.`)
  }
  const all = new Map([...base, ...words])
  const { convert } = Object.fromEntries(all)
  const type = convert === undefined || convert === 'auto' ? 'auto' : convert === 'original' ? 'own' : 'asked'
  if (type !== 'asked') all.delete('convert')
  return {
    operations: operationsOf(all),
    type,
    expires: readExpiry(all.get('expires')),
    download: all.get('download'),
  }
}

/**
 * Returns the operations with the width left open, as the template of a page has them that any of the allowed widths
 * may be filled into; `undefined` where there is no such width.
 */
export function withOpenWidth(text: string, widths: ReadonlySet<number>): string | undefined {
  const parts = text.split(';')
  const at = parts.findIndex((part) => /^w=[1-9]\d*$/.test(part))
  if (at === -1 || !widths.has(Number(parts[at]!.slice(2)))) return undefined
  return parts.with(at, 'w=*').join(';')
}

function readWords(text: string): Map<string, string> {
  const words = new Map<string, string>()
  for (const part of text === NOTHING ? [] : text.split(';')) {
    const [, word, value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(part)!
    if (!KNOWN.includes(word!)) {
      throw new PixpressError(
        'INVALID_OPTION',
        `Unknown operation '${word!.slice(0, 60)}'. ${didYouMean(word!, KNOWN)}`,
      )
    }
    const name = Object.hasOwn(SHORT, word!) ? SHORT[word!]! : word!
    if (words.has(name)) throw new PixpressError('INVALID_OPTION', `The operation '${word}' is given twice.`)
    words.set(name, value)
  }
  return words
}

function operationsOf(words: ReadonlyMap<string, string>): Operations {
  const texts = [...words].filter(([word]) => !(OWN as readonly string[]).includes(word))
  for (const [word, value] of texts) {
    const isSwitch = OPERATION_FLAGS[word]!.value === undefined
    if (isSwitch === (value === '')) continue
    const wanted = isSwitch ? 'takes no value' : `needs a value: ${word}=…`
    throw new PixpressError('INVALID_OPTION', `The operation '${word}' ${wanted}.`)
  }
  if (words.get('width') === '*') {
    throw new PixpressError('INVALID_OPTION', "This is a template: put a width in the place of the '*' of 'w=*'.")
  }
  try {
    const operations = operationsFromFlags(Object.fromEntries(texts))
    resolveOperations(operations)
    return operations
  } catch (error) {
    // A URL has no dashes before its words.
    if (error instanceof PixpressError)
      throw new PixpressError(error.code, error.message.replaceAll(/--(?=[a-z])/g, ''))
    throw error
  }
}

function readExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw invalidOption('expires', 'seconds since 1970', text)
}
