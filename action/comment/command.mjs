import path from 'node:path'
import { counted } from './text.mjs'

/** Characters of a command, which terminals take in one piece. */
const MAX_LENGTH = 3000

/**
 * The command to copy that does on a person's machine what the comment suggests: it compresses what could be smaller,
 * or finds the same once more where compressing mends nothing.
 * @param state what the steps before have found
 * @param findings of each image, by its source
 * @returns nothing if nothing is left to do
 */
export function commandPart({ images, fix, call, pull }, findings) {
  if (findings.size === 0 || call === undefined) return []
  const fixed = new Set(fix?.images.map(({ file }) => file))
  const due = images
    .filter(
      ({ source, file, bytes, possible, sourceBytes }) =>
        // Builds compress what they ship: its files stay as they are.
        findings.has(source) && possible < bytes && sourceBytes === undefined && !fixed.has(file) && isCopyable(file),
    )
    .toSorted((a, b) => b.bytes - b.possible - (a.bytes - a.possible))
  const npx = ['npx', call.version === '' ? 'pixpress' : `pixpress@${call.version}`]
  if (due.length === 0) {
    const since = pull?.baseBranch === undefined ? [] : [`--changed=origin/${pull.baseBranch}`]
    return blockOf('**To find the same on your machine:**', call, [
      ...npx,
      'check',
      ...since,
      ...call.options,
      ...dashed(call.files),
    ])
  }
  const words = [...npx, 'compress', ...call.options, '--'].map(quoted)
  let length = words.join(' ').length
  let shown = 0
  for (const { file } of due) {
    const name = quoted(path.posix.relative(call.folder, file))
    length += name.length + 1
    if (length > MAX_LENGTH && shown > 0) break
    words.push(name)
    shown++
  }
  const which = shown < due.length ? `the ${counted(shown, 'image')} that save most of ${due.length}` : 'all of it'
  return blockOf(`**To save ${which}**, run this and commit what changes:`, call, words, true)
}

const dashed = (files) => (files.length === 0 ? [] : ['--', ...files])

/** A block of code from the top of the repository. Nothing in it is markup, a mention or a reference. */
function blockOf(title, { folder }, words, isQuoted = false) {
  const command = (isQuoted ? words : words.map(quoted)).join(' ')
  const lines = folder === '' ? [command] : [`cd ${quoted(folder)}`, command]
  const text = lines.join('\n')
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${title}\n\n${fence}sh\n${text}\n${fence}`]
}

/** A word for a POSIX shell, which takes nothing in it for its own. */
export const quoted = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)

/** A name with a line break or another character that nobody sees would not be what is copied. */
const isCopyable = (name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)
