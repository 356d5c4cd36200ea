/** Text of others in HTML within Markdown: nothing in it is markup, mentions somebody or refers to anything. */
export function escaped(text) {
  return visible(text).replace(/[\\`*_{}[\]<>|#@&~!:"'$]/g, (character) => `&#${character.codePointAt(0)};`)
}

/** A name: in code GitHub finds no mentions and references, which it looks for after entities have been read. */
export const nameOf = (name) => `<code>${escaped(name)}</code>`

/** A sentence of others; a zero-width space keeps what follows `@` or `#` from being a mention or a reference. */
export const sentenceOf = (text) => escaped(text).replace(/&#(?:64|35);/g, '$&&#8203;')

const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\uFFFD')

/** `12.3 kB`: 1 kB is 1000 bytes. */
export function bytesOf(bytes) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** `-40%` */
export function changeOf(before, after) {
  if (before === 0) return ''
  const percent = Math.round((after / before - 1) * 100)
  return `${percent > 0 ? '+' : ''}${percent}%`
}

/** `4 images` */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0)
