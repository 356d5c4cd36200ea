import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { shownImages } from './comment/shown.mjs'
import { deliverImages } from './run/command.mjs'
import { commitOf } from './run/commit.mjs'
import { changedFiles, git } from './run/git.mjs'
import { readInputs } from './run/inputs.mjs'
import { markOf, readState, runStep, tell, writeState } from './run/step.mjs'

// The step for `pictures: true`: makes the images of the comment as they are or would be delivered, and pushes them to
// a ref of their own, from which the comment shows them. No branch gets them.
await runStep(async (env) => {
  const inputs = readInputs(env)
  const state = await readState(env)
  const { pull, top } = state
  if (pull === undefined || pull.isFork) return
  const images = shownImages(state).filter(({ delivered }) => delivered !== undefined)
  if (images.length === 0) return
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-delivered-')))
  const before = new Set(await changedFiles(top))
  try {
    const names = images.map(({ file }) => path.join(top, file))
    const { report } = await deliverImages(inputs, names, folder)
    const files = picturesOf(images, report.images, { top, folder, cwd: await realpath(inputs.folder) })
    if (files.length === 0) return
    const commit = await commitOf(top, files)
    const ref = `refs/pixpress/${pull.number}-${markOf(env.INPUT_WORKING_DIRECTORY || '.')}`
    await git(top, ['push', '--quiet', '--force', 'origin', `${commit}:${ref}`])
    await writeState(env, { ...state, pictures: { commit, names: files.map(({ name, source }) => [source, name]) } })
  } catch (error) {
    // The comment is whole without them, and the job no worse.
    const hint = "the job needs 'permissions: contents: write', or 'pictures: false'"
    tell('warning', `The comment shows no delivered pictures (${hint}). ${error.message}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
    // The lock would say what nobody has asked for.
    const beside = (await changedFiles(top)).filter((file) => !before.has(file))
    if (beside.length > 0)
      await git(top, ['checkout', '--quiet', '--', ...beside.map((file) => `:(literal,top)${file}`)])
  }
})

/** The results that have the bytes which the comment tells of, with the paths that they get in the commit. */
function picturesOf(images, results, { top, folder, cwd }) {
  const pathOf = (source) => path.relative(top, path.resolve(cwd, source)).split(path.sep).join('/')
  return images.flatMap(({ file, delivered }) => {
    const result = results.find(({ source, after }) => pathOf(source) === file && after === delivered)
    if (result === undefined) return []
    const output = path.resolve(cwd, result.output)
    if (!output.startsWith(folder + path.sep)) return []
    const extension = path.extname(output)
    const name = path.extname(file).toLowerCase() === extension.toLowerCase() ? file : `${file}${extension}`
    return [{ source: file, name, path: output }]
  })
}
