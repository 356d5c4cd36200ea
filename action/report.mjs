import { appendFile } from 'node:fs/promises'
import { commentBody, markerOf } from './comment/body.mjs'
import { putComment } from './comment/github.mjs'
import { readInputs } from './run/inputs.mjs'
import { readState, runStep, setOutputs, tell } from './run/step.mjs'

// The step that tells: the job's summary, and the comment of a pull request.
await runStep(async (env) => {
  const { comment } = readInputs(env)
  const state = await readState(env)
  const repository = state.pull?.repository ?? env.GITHUB_REPOSITORY
  const folder = env.INPUT_WORKING_DIRECTORY || '.'
  const body = commentBody(state, { server: env.GITHUB_SERVER_URL ?? 'https://github.com', repository, folder })
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, body)
  if (!comment || state.pull === undefined) return
  if (!env.INPUT_TOKEN) throw new Error("The comment needs 'token'; 'comment: false' writes none.")
  const { findings, failures } = state.report
  try {
    const url = await putComment({
      api: env.GITHUB_API_URL ?? 'https://api.github.com',
      token: env.INPUT_TOKEN,
      repository,
      number: state.pull.number,
      marker: markerOf(folder),
      body,
      create: state.images.length + findings.length + failures.length > 0,
    })
    await setOutputs(env, { 'comment-url': url ?? '' })
  } catch (error) {
    const hint = state.pull.isFork
      ? 'the token of a pull request from a fork may only read'
      : "the job needs 'permissions: pull-requests: write'"
    // Images are no worse for it: the job's summary has the same table.
    const reason = error.refused ? hint : error.message
    tell(
      state.pull.isFork && error.refused ? 'notice' : 'warning',
      `No comment was written, but the job's summary: ${reason}.`,
    )
  }
})
