import path from 'node:path'

/**
 * Says what is to be done about reports that are not as they are committed.
 * @param {ReadonlyMap<string, string>} committed paths → texts, as they are in the working tree
 * @param {ReadonlyMap<string, string>} made the same, of the interface as it is built now
 * @returns {string[]} one sentence for each file
 */
export function differences(committed, made) {
  const changed = [...made].flatMap(([file, text]) => {
    if (committed.get(file) === text) return []
    const what = committed.has(file) ? 'changed' : 'has no report'
    return [`The public interface in ${file} ${what}. Run: pnpm build && pnpm api, and look at the difference.`]
  })
  const left = [...committed.keys()].filter((file) => !made.has(file))
  return [...changed, ...left.map((file) => `${file} is the report of an entry that is gone. Run: pnpm api`)]
}

/**
 * The packages whose public interface is not as it was at the base, and which no changeset names.
 * @param {object} given
 * @param {ReadonlyMap<string, string>} given.before reports at the base: paths → texts
 * @param {ReadonlyMap<string, string>} given.after reports now
 * @param {readonly { releases: readonly { name: string, type: string }[] }[]} given.changesets
 * @param {ReadonlyMap<string, string>} given.names folders of packages → their names
 * @param {boolean} given.isRelease whether the version was raised since: the changesets have become the changelog
 * @returns {string[]} one sentence for each package
 */
export function unannounced({ before, after, changesets, names, isRelease }) {
  if (isRelease) return []
  const announced = new Set(
    changesets.flatMap(({ releases }) => releases.filter(({ type }) => WIDE.has(type)).map(({ name }) => name)),
  )
  const known = new Set([...before.keys()].map(folderOf))
  const files = [...new Set([...before.keys(), ...after.keys()])]
  // A package without a report at the base is new, or reports are.
  const changed = files.filter((file) => known.has(folderOf(file)) && before.get(file) !== after.get(file))
  return [...new Set(changed.map(folderOf))].sort().flatMap((folder) => {
    const name = names.get(folder) ?? folder
    if (announced.has(name)) return []
    const entries = changed.filter((file) => folderOf(file) === folder).map((file) => path.posix.basename(file))
    return [
      `The public interface of ${name} changed (${entries.join(', ')}), and no changeset says so. ` +
        `Run: pnpm changeset, choose ${name}, and say 'minor' or 'major'.`,
    ]
  })
}

/** Kinds of changesets that a change of the interface takes: a patch changes none. */
const WIDE = new Set(['minor', 'major'])

/** `packages/core` of `packages/core/api/index.api.md`. */
const folderOf = (file) => file.split('/').slice(0, 2).join('/')
