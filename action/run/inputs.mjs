import path from 'node:path'

/** Says what is wrong in one sentence; the step fails with it. */
export class ActionError extends Error {}

/** The inputs of action.yml, checked. Those that a step is not given have their defaults. */
export function readInputs(env) {
  const version = env.INPUT_VERSION ?? ''
  // An address or a path would be installed as well.
  if (!/^[\w.^~<>=*|+ -]*$/.test(version) || version.startsWith('-')) {
    throw new ActionError(`Expected a version, a range or a tag for 'version' but received '${version}'.`)
  }
  return {
    version,
    files: wordsOf(env.INPUT_FILES ?? '', 'files'),
    arguments: wordsOf(env.INPUT_ARGUMENTS ?? '', 'arguments'),
    config: env.INPUT_CONFIG ?? '',
    base: env.INPUT_BASE ?? '',
    fix: isOn(env, 'fix', false),
    comment: isOn(env, 'comment', true),
    fail: isOn(env, 'fail', true),
    pictures: isOn(env, 'pictures', false),
    folder: path.resolve(env.GITHUB_WORKSPACE ?? '.', env.INPUT_WORKING_DIRECTORY || '.'),
  }
}

function isOn(env, name, byDefault) {
  const text = env[`INPUT_${name.toUpperCase()}`] || String(byDefault)
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ActionError(`Expected 'true' or 'false' for '${name}' but received '${text}'.`)
}

/** Words between spaces and line breaks; quotes hold one together. Nothing is expanded, as there is no shell. */
export function wordsOf(text, name) {
  const words = []
  let rest = text.trim()
  while (rest !== '') {
    const [whole] = /^(?:[^\s"']|"[^"]*"|'[^']*')+(?:\s+|$)/.exec(rest) ?? []
    if (whole === undefined) throw new ActionError(`A quote is not closed in '${name}': ${text.trim()}`)
    words.push(whole.trimEnd().replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
    rest = rest.slice(whole.length)
  }
  return words
}
