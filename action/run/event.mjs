import { readFile } from 'node:fs/promises'
import { ActionError } from './inputs.mjs'

const NO_COMMIT = /^0+$/

/**
 * Reads the event of the workflow: `pull` of a pull request, and `base`, the commit to compare with, if there is one.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export async function readEvent(env) {
  const event = env.GITHUB_EVENT_PATH ? JSON.parse(await readFile(env.GITHUB_EVENT_PATH, 'utf8')) : {}
  if (env.GITHUB_EVENT_NAME === 'pull_request_target') {
    // The configuration is a program of the pull request, and would run beside the secrets of the repository.
    throw new ActionError(
      "Use 'on: pull_request': with pull_request_target, code of forks would run with a token that may write.",
    )
  }
  const { pull_request: pull } = event
  if (pull === undefined) {
    const before = event.before
    return { pull: undefined, base: before === undefined || NO_COMMIT.test(before) ? undefined : before }
  }
  const headRepository = pull.head.repo?.full_name
  return {
    base: pull.base.sha,
    pull: {
      number: pull.number,
      head: pull.head.sha,
      branch: pull.head.ref,
      baseBranch: pull.base.ref,
      repository: pull.base.repo.full_name,
      // The fork may be gone by now.
      headRepository: headRepository ?? pull.base.repo.full_name,
      isFork: headRepository !== pull.base.repo.full_name,
    },
  }
}
