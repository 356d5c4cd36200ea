import { budgetsPart } from './budgets.mjs'
import { commandPart } from './command.mjs'
import { keptPart } from './kept.mjs'
import { markOf } from '../run/step.mjs'
import { MAX_ROWS, madeOf, shownImages } from './shown.mjs'
import { bytesOf, changeOf, counted, nameOf, sentenceOf, sum } from './text.mjs'

/** GitHub takes 65,536 characters for a comment. */
const MAX_LENGTH = 60_000

/** Pixels of a thumbnail's width. */
const THUMBNAIL = 72

/** Matches names of images that browsers show in a page. */
const SHOWN = /\.(?:avif|gif|jpe?g|jfif|pjpeg|pjp|a?png|svg|webp)$/i

/** Returns the mark by which the comment is found again: one for each working directory. */
export const markerOf = (folder) => `<!-- pixpress ${markOf(folder)} -->`

/**
 * The comment in GitHub's Markdown.
 * @param state what the steps before have found
 * @param server address of GitHub
 * @param repository `owner/name` of the workflow
 */
export function commentBody(state, { server, repository, folder }) {
  const { images, fix } = state
  const report = fix?.report ?? state.report
  const findings = new Map()
  for (const { source, message } of report.findings) findings.set(source, [...(findings.get(source) ?? []), message])
  const known = new Set(images.map(({ source }) => source))
  const rows = rowsOf(state, findings, { server, repository })
  const notes = [
    ...state.notes,
    ...report.findings.filter(({ source }) => !known.has(source)).map(({ source, message }) => `${source}: ${message}`),
    ...report.failures.map(({ source, message }) => `${source} could not be checked: ${message}`),
  ]

  const parts = [markerOf(folder), `### ${titleOf(state, report)}`]
  if (notes.length > 0)
    parts.push(
      notes
        .slice(0, MAX_ROWS)
        .map((note) => `- ${sentenceOf(note)}`)
        .join('\n'),
    )
  parts.push(...commandPart(state, findings))
  const below = [...budgetsPart(report.budgets), ...keptPart(images, findings, report.kept)]
  if (rows.length > 0) parts.push(tableOf(rows, images.length, [...parts, ...below].join('\n\n').length))
  parts.push(...below)
  return `${parts.join('\n\n')}\n`
}

function titleOf({ images, fix }, { findings, failures }) {
  const made = madeOf(fix)
  const before = sum(images.map(({ bytes }) => bytes))
  const after = sum(
    images.map(({ file, bytes, possible }) => (fix ? (made.get(file)?.bytes ?? bytes) : (possible ?? bytes))),
  )
  const parts = [`pixpress: ${counted(images.length, 'image')}`]
  if (fix !== undefined) {
    parts.push(`${fix.images.length} compressed`, `${bytesOf(before)} → ${bytesOf(after)} (${changeOf(before, after)})`)
  } else if (after < before) {
    parts.push(`${bytesOf(before)} could be ${bytesOf(after)} (${changeOf(before, after)})`)
  }
  const shipped = images.filter(({ sourceBytes }) => sourceBytes !== undefined)
  if (shipped.length > 0) {
    const sources = sum(shipped.map(({ sourceBytes }) => sourceBytes))
    parts.push(`a build ships ${bytesOf(sum(shipped.map(({ bytes }) => bytes)))} of ${bytesOf(sources)}`)
  }
  parts.push(findings.length === 0 ? 'nothing found' : counted(findings.length, 'finding'))
  if (failures.length > 0) parts.push(`${failures.length} could not be checked`)
  return parts.join(', ')
}

function rowsOf(state, findings, { server, repository }) {
  const { fix, base, head, pull, pictures } = state
  const made = madeOf(fix)
  const own = pull?.headRepository ?? repository
  const delivered = new Map(pictures?.names)
  return shownImages(state).map((image) => {
    const { source, file, bytes, possible, sourceBytes, before } = image
    const fixed = made.get(file)
    // Both sides of a compressed image are the same picture, before and after.
    const old = fixed
      ? { repository: own, commit: head, bytes }
      : before === undefined
        ? undefined
        : { repository, commit: base, bytes: before }
    const current = { repository: own, commit: fixed ? fix.commit : head }
    const name = delivered.get(file)
    // A picture that was made for the comment lies where the workflow runs.
    const picture = name === undefined ? undefined : addressOf(server, { repository, commit: pictures.commit }, name)
    const size = fixed?.bytes ?? bytes
    const ofSource = sourceBytes === undefined ? '' : ` of ${bytesOf(sourceBytes)}`
    const change = old === undefined ? '' : ` (${changeOf(old.bytes, size)})`
    const caption = `${bytesOf(size)}${ofSource}${change}`
    const address = addressOf(server, current, file)
    // A broken image shows nothing.
    const shown = possible === undefined ? '' : file
    const what = fixed ? ['Compressed.'] : (findings.get(source) ?? []).map(sentenceOf)
    return [
      [nameOf(source), ...what].join('<br>'),
      old === undefined ? 'new' : pictureCell(addressOf(server, old, file), file, bytesOf(old.bytes)),
      picture === undefined
        ? pictureCell(address, shown, caption)
        : sourceBytes === undefined
          ? `${pictureCell(picture, name, `could be ${bytesOf(possible)}`)}<br><a href="${address}">${caption}</a>`
          : pictureCell(picture, name, caption),
    ]
  })
}

/** Rows as long as there is room. */
function tableOf(rows, all, used) {
  const lines = ['| Image | Before | After |', '| --- | --- | --- |']
  let length = used + lines.join('\n').length
  let shown = 0
  for (const row of rows) {
    const line = `| ${row.join(' | ')} |`
    length += line.length + 1
    if (length > MAX_LENGTH) break
    lines.push(line)
    shown++
  }
  const hidden = all - shown
  return `${lines.join('\n')}${hidden > 0 ? `\n\n… and ${counted(hidden, 'more image')}` : ''}`
}

/** GitHub leads from this address to the file as it is, also of private repositories, for who may read them. */
function addressOf(server, { repository, commit }, file) {
  const encoded = file.split('/').map((part) => encodeURIComponent(part).replaceAll("'", '%27'))
  return `${server}/${repository}/blob/${commit}/${encoded.join('/')}?raw=true`
}

function pictureCell(address, file, caption) {
  const picture = SHOWN.test(file) ? `<img src="${address}" width="${THUMBNAIL}" alt=""><br>` : ''
  return `<a href="${address}">${picture}${caption}</a>`
}
