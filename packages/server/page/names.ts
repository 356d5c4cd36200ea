import { extensionOf } from './types.ts'

/** Returns the name of a result: the upload's, with the extension of another type. */
export function resultName(name: string, from: string, to: string): string {
  const extension = extensionOf(to)
  if (from === to || extension === '') return name
  return `${name.replace(/\.[^.]*$/, '')}.${extension}`
}

/** Makes each name unique: the second `a.png` is `a (2).png`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
    let free = name
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})${extension}`
    taken.add(free.toLowerCase())
    return free
  })
}
