/** Files whose imports can be seen to be shown. */
export const SHOWING_FILE: RegExp = /\.(?:[cm]?[jt]sx?|vue|svelte|mdx)$/i

/** An expression that has one of several values: names, members, conditions. */
const VALUE = String.raw`[\w$\s.?:|&!=]+`

/** An `<img>` up to its `src`. A handler with an arrow before it hides the rest. */
const IMG = String.raw`<img(?=\s)[^<>]*?\s`

/** Places that show what an expression names in an `<img>`; the group is the expression. */
const SHOWN_VALUES: readonly RegExp[] = [
  // JSX and Svelte.
  new RegExp(`${IMG}src=\\{(${VALUE})\\}`, 'g'),
  // Vue.
  new RegExp(`${IMG}(?::|v-bind:)src=["'](${VALUE})["']`, 'g'),
  // `jsx("img", { src })`, `createElement('img', { src })`, `_createElementVNode("img", { src })`.
  new RegExp(`\\(\\s*["']img["']\\s*,\\s*\\{[^{}()]*?\\bsrc:\\s*(${VALUE})(?=[,}])`, 'g'),
  // Text that becomes elements.
  new RegExp(`${IMG}src=(?:"\\$\\{(${VALUE})\\}"|'\\$\\{(${VALUE})\\}')`, 'g'),
]

/** An element that a script makes, and its name. */
const MADE = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:new\s+Image\(|document\.createElement\(\s*["'`]img["'`])/g

/**
 * Tells whether a script or component shows an import in `<img src>`, and does nothing else with it that its text
 * tells. Compilers need not have run: a server's code and a browser's come of the same text, and have to name the same
 * file.
 * @param specifier as it stands in the import, or in a template that a compiler makes an import of
 */
export function isOnlyShown(text: string, specifier: string): boolean {
  const names: string[] = []
  const quoted = `(["'])${escaped(specifier)}\\1`
  const imported = new RegExp(`\\bimport\\s+([\\w$]+)\\s+from\\s*${quoted.replace('\\1', '\\2')}`, 'g')
  const rest = text
    .replaceAll(imported, (_, name: string) => {
      names.push(name)
      return ''
    })
    // A template names the file itself.
    .replaceAll(new RegExp(`${IMG}src=${quoted}`, 'g'), '<img')
  if (rest === text || rest.includes(specifier)) return false
  const unshown = withoutShown(rest)
  return names.every((name) => !new RegExp(`(?<![\\w$]|(?<!\\.)\\.)${escaped(name)}(?![\\w$])`).test(unshown))
}

function withoutShown(text: string): string {
  const made = [...text.matchAll(MADE)].map(([, name]) => escaped(name!))
  const sources = made.map((name) => new RegExp(`\\b${name}\\.src\\s*=(?!=)\\s*(${VALUE})(?=[;)\\n}]|$)`, 'g'))
  return [...SHOWN_VALUES, ...sources].reduce((rest, place) => rest.replaceAll(place, ''), text)
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
