import { bytesOf, counted, nameOf, sentenceOf, sum } from './text.mjs'

/** Images that a row names. */
const MAX_NAMED = 3

/** Characters that the part may take of a comment. Names of files can be long. */
const MAX_LENGTH = 10_000

/**
 * Lists the reasons why images without a finding are no smaller, in a closed section: each reason once, with its
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
      const bytes = sum(own.map((image) => image.bytes))
      return { own, bytes, sources: sum(own.map((image) => image.sourceBytes ?? image.bytes)), sentence }
    })
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ own, bytes, sources, sentence }) => {
      const more = own.length > MAX_NAMED ? ` and ${own.length - MAX_NAMED} more` : ''
      const names = own.slice(0, MAX_NAMED).map(({ source }) => nameOf(source))
      const ofSources = sources > bytes ? ` of ${bytesOf(sources)}` : ''
      return `| ${names.join('<br>')}${more} | ${bytesOf(bytes)}${ofSources} | ${sentenceOf(sentence)} |`
    })
  if (rows.length === 0) return []
  const title = `${counted(kept.length, 'image')} ${kept.length === 1 ? 'is as small as it gets' : 'are as small as they get'}`
  const table = ['| Image | Now | Why |', '| --- | ---: | --- |', ...rows].join('\n')
  const part = `<details>\n<summary>${title}</summary>\n\n${table}\n\n</details>`
  return part.length > MAX_LENGTH ? [] : [part]
}
