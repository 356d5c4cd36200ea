import type { Commands } from './service.ts'

/** The form's request in the interface's words, or the reason why it cannot be made. */
export type AskedFor = { readonly commands: Commands } | { readonly problem: string }

/** Reads the options. */
export function readCommands(form: FormData): AskedFor {
  const text = (name: string): string => String(form.get(name) ?? '')
  const commands: Commands = {}
  if (text('type') !== '') commands.convert = { type: text('type') }
  if (form.has('fill')) commands.transform = { background: text('background') }
  const method = text('method')
  if (method === '') return { commands }
  const width = pixels(text('width'))
  const height = pixels(text('height'))
  if (method === 'scale') {
    if ((width === undefined) === (height === undefined))
      return { problem: 'Scale takes a width or a height, not both.' }
  } else if (width === undefined || height === undefined) {
    return { problem: 'This size takes a width and a height.' }
  }
  commands.resize = { method, ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  return { commands }
}

function pixels(text: string): number | undefined {
  const number = Number(text)
  return text !== '' && Number.isSafeInteger(number) && number >= 1 ? number : undefined
}
