import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { checkImages, compressImages } from './run/command.mjs'
import { commitOnto, wasFixedBefore } from './run/commit.mjs'
import { changedFiles, git } from './run/git.mjs'
import { readInputs } from './run/inputs.mjs'
import { readState, runStep, setOutputs, tell, writeState } from './run/step.mjs'

// The step for `fix: true`: compresses what could be smaller, and pushes it to the branch of the pull request.
await runStep(async (env) => {
  const inputs = readInputs(env)
  const state = await readState(env)
  const refusal = refusalOf(state.pull)
  const due = refusal === undefined ? await dueImages(state) : []
  if (due.length === 0) {
    if (refusal !== undefined) tell('notice', refusal)
    await writeState(env, { ...state, notes: refusal === undefined ? [] : [refusal] })
    return
  }
  const { top, pull } = state
  const before = new Set(await changedFiles(top))
  const { report } = await compressImages(
    inputs,
    due.map(({ file }) => path.join(top, file)),
  )
  const folder = await realpath(inputs.folder)
  const pathOf = (shown) => path.relative(top, path.resolve(folder, shown)).split(path.sep).join('/')
  const written = report.images
    .filter((image) => image.written)
    .map(({ source, output, after }) => ({ file: pathOf(source), output: pathOf(output), bytes: after }))
  const made = written.filter(({ file, output }) => file === output)
  const converted = written.filter(({ file, output }) => file !== output)
  // Who converts has to change what refers to the image as well.
  for (const { output } of converted) await git(top, ['clean', '--force', '--quiet', '--', `:(literal,top)${output}`])
  // The lock says something else of these images too.
  const beside = (await changedFiles(top)).filter((file) => !before.has(file))
  const names = new Set([...made.map(({ file }) => file), ...(made.length > 0 ? beside : [])])
  const { commit, files, left } = await commitOnto(top, pull.head, [...names])
  const images = made.filter(({ file }) => files.includes(file))
  const notes = [
    ...converted.map(({ file, output }) => `${file} was not fixed, as it becomes ${output}: run 'pixpress compress'.`),
    ...left.map((file) => `${file} differs between the branch and its base, and is left as it is.`),
    ...report.failures.map(({ source, message }) => `${source} could not be compressed: ${message}`),
  ]
  for (const note of notes) tell('warning', note)
  if (images.length === 0) {
    await writeState(env, { ...state, notes })
    return
  }
  try {
    await git(top, ['push', '--quiet', 'origin', `${commit}:refs/heads/${pull.branch}`])
  } catch (error) {
    const reason = `The compressed images could not be pushed to the branch, which may be protected or have moved on.`
    tell('warning', `${reason} ${error.message}`)
    await writeState(env, { ...state, notes: [reason, ...notes] })
    return
  }
  const { code, report: after } = await checkImages(inputs, state.since)
  await writeState(env, { ...state, notes, fix: { code, report: after, commit, images } })
  await setOutputs(env, { findings: after.findings.length, fixed: images.length, commit })
})

/** Why nothing may be pushed; `undefined` where it may. */
function refusalOf(pull) {
  if (pull === undefined) return 'Only branches of pull requests are fixed.'
  if (pull.isFork) return 'Nothing was compressed: the branch belongs to a fork, where the action may not push.'
  return undefined
}

/**
 * Findings that compressing would mend, without images that this action has compressed since they were last changed.
 */
async function dueImages({ report, images, top, pull }) {
  const found = new Set(report.findings.map(({ source }) => source))
  const due = []
  for (const image of images) {
    if (!found.has(image.source) || !(image.possible < image.bytes)) continue
    if (!(await wasFixedBefore(top, pull.head, image.file))) due.push(image)
  }
  return due
}
