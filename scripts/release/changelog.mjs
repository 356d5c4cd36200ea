/** How much a change is, for the order of the lines: what may break comes first. */
const ORDER = ['major', 'minor', 'patch']

/** @typedef {{ summary: string, releases: readonly { name: string, type: string }[] }} Changeset */

const rankOf = ({ releases }) => Math.min(ORDER.length, ...releases.map(({ type }) => ORDER.indexOf(type)))

/**
 * The lines of a release, from the changesets of its changes.
 * @param {readonly Changeset[]} changesets
 */
export function linesOf(changesets) {
  const sorted = [...changesets].sort((one, other) => rankOf(one) - rankOf(other))
  return sorted.map(({ summary }) => asItem(summary.trim())).join('\n')
}

/** A text as an item of a list. One that is a list already stays as it is. */
const asItem = (text) => (text.startsWith('- ') ? text : `- ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`)

/**
 * The changelog with the lines of a release: below its heading where that is there, else below a new one at the top.
 * @param {string} changelog text of CHANGELOG.md
 * @param {string} version
 * @param {string} lines
 */
export function withRelease(changelog, version, lines) {
  if (lines === '') return changelog
  const heading = `## ${version}\n\n`
  if (changelog.includes(heading)) return changelog.replace(heading, () => `${heading}${lines}\n`)
  const title = '# Changelog\n\n'
  if (!changelog.startsWith(title)) throw new Error("CHANGELOG.md does not begin with '# Changelog'.")
  return `${title}${heading}${lines}\n\n${changelog.slice(title.length)}`
}

/**
 * The text of one release, without its heading; `undefined` where the changelog has no such heading.
 * @param {string} changelog text of CHANGELOG.md
 * @param {string} version
 */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`${version}\n`))
  return section?.slice(version.length).trim()
}
