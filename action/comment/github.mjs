/** Milliseconds after which an answer is not waited for. */
const PATIENCE = 30_000

/** Pages of a hundred comments that are looked through. */
const MAX_PAGES = 30

/** Codes that say the token may not do it, as that of a pull request from a fork. */
const REFUSALS = new Set([401, 403, 404])

/**
 * Creates the comment, or brings the one up to date that the same token has written before.
 * https://docs.github.com/en/rest/issues/comments
 * @param create whether there is something to say where nothing was said before
 * @returns its URL; `undefined` when none was written
 * @throws Error with the answer's code when GitHub refuses, with `refused` where the token may not comment
 */
export async function putComment({ api, token, repository, number, marker, body, create }) {
  const ask = async (method, path, content) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'x-github-api-version': '2022-11-28',
        ...(content !== undefined && { 'content-type': 'application/json' }),
      },
      body: content === undefined ? undefined : JSON.stringify(content),
      // An address that an answer leads to must not get the token.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (response.ok) return response.json()
    const error = new Error(`GitHub answered ${response.status} to ${method} ${path}.`)
    throw Object.assign(error, { refused: REFUSALS.has(response.status) })
  }

  const comments = `/repos/${repository}/issues/${number}/comments`
  const isOwn = await ownership(ask)
  const earlier = await findComment(ask, comments, (comment) => comment.body?.startsWith(marker) && isOwn(comment))
  if (earlier !== undefined) {
    if (earlier.body === body) return earlier.html_url
    return (await ask('PATCH', `/repos/${repository}/issues/comments/${earlier.id}`, { body })).html_url
  }
  return create ? (await ask('POST', comments, { body })).html_url : undefined
}

/** The token of a job has no user; its comments are a bot's. */
async function ownership(ask) {
  const user = await ask('GET', '/user').catch(() => undefined)
  return (comment) => (user === undefined ? comment.user?.type === 'Bot' : comment.user?.login === user.login)
}

async function findComment(ask, comments, isWanted) {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await ask('GET', `${comments}?per_page=100&page=${page}`)
    const comment = found.find(isWanted)
    if (comment !== undefined || found.length < 100) return comment
  }
  return undefined
}
