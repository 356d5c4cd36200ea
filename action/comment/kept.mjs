import { bytesOf, counted, nameOf, sentenceOf } from './text.mjs'

/** Images that a row names. */
const MAX_NAMED = 3

/** Characters that the part may take of a comment. Names of files can be long. */
const MAX_LENGTH = 10_000

/**
 * Lists the reasons why images without a finding stay as they are, in a closed section: each reason once, with its
 * images.
 * @param findings of each image, by its source
 * @param groups reasons of all checked images, as the command reports them; absent from commands that do not
 * @returns nothing if no reason is known
 */
export function keptPart(images, findings, groups = []) {
  const kept = images.filter(({ source, why }) => why !== undefined && !findings.has(source))
  const rows = [...new Set(kept.map(({ why }) => why.because))]
    .map((because) => {
      const own = kept.filter(({ why }) => why.because === because).toSorted((a, b) => b.bytes - a.bytes)
      const [first] = own
      const common = groups.find((group) => group.because === because)?.sentence
      const sentence = own.length === 1 ? first.why.sentence : (common ?? first.why.sentence)
      return { own, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0), sentence }
    })
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ own, bytes, sentence }) => {
      const more = own.length > MAX_NAMED ? ` and ${own.length - MAX_NAMED} more` : ''
      const names = own.slice(0, MAX_NAMED).map(({ source }) => nameOf(source))
      return `| ${names.join('<br>')}${more} | ${bytesOf(bytes)} | ${sentenceOf(sentence)} |`
    })
  if (rows.length === 0) return []
  const title = `${counted(kept.length, 'image')} ${kept.length === 1 ? 'stays as it is' : 'stay as they are'}`
  const table = ['| Image | Now | Why |', '| --- | ---: | --- |', ...rows].join('\n')
  const part = `<details>\n<summary>${title}</summary>\n\n${table}\n\n</details>`
  return part.length > MAX_LENGTH ? [] : [part]
}
