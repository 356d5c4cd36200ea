import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'

const run = promisify(execFile)
const SERVER = 'https://github.example'

/** A style like GitHub's for text, as its own cannot be had without a network. */
const CSS = `
  :root { color-scheme: light dark; --line: light-dark(#d1d9e0, #3d444d); }
  body { background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); font: 14px/1.5 system-ui, sans-serif; margin: 0; padding: 16px; }
  main { border: 1px solid var(--line); border-radius: 6px; margin: auto; max-width: 880px; padding: 16px; }
  h3 { font-size: 1.25em; margin: 0 0 16px; }
  a { color: light-dark(#0969da, #4493f8); }
  table { border-collapse: collapse; display: block; margin: 0 0 16px; max-width: 100%; overflow: auto; width: max-content; }
  th, td { border: 1px solid var(--line); padding: 6px 13px; }
  img { max-width: none; }
  .copy, .lang { display: none; }
  pre { background: light-dark(#f6f8fa, #151b23); border-radius: 6px; overflow: auto; padding: 16px; }
  code { font: 85% ui-monospace, 'DejaVu Sans Mono', monospace; }
`

/** Makes the comment of the Action on a pull request that adds pictures and makes one larger. */
export async function make({ folder, pageOf, shootFace }) {
  const workspace = path.join(folder, 'site')
  await createPullRequest(workspace)
  const body = await commentOf(workspace, path.join(folder, 'runner'))
  const { createMarkdownRenderer } = await importFrom('docs', 'vitepress')
  const markdown = await createMarkdownRenderer(path.join(root, 'docs'))
  const html = markdown.render(body.replaceAll(/<!--.*?-->/g, ''))
  const page = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${CSS}</style><main>${html}</main>`
  const url = await pageOf('comment.html', page)
  await shootFace('comment', async (face) => {
    await face.route(`${SERVER}/**`, async (route) => {
      const [, commit, file] = /\/blob\/(\w+)\/([^?]+)/.exec(route.request().url())
      const options = { cwd: workspace, encoding: 'buffer', maxBuffer: 2 ** 26 }
      const { stdout } = await run('git', ['show', `${commit}:${decodeURIComponent(file)}`], options)
      await route.fulfill({ body: stdout })
    })
    await face.goto(url, { waitUntil: 'networkidle' })
  })
}

/** A repository with two commits, the second of which is the pull request's. */
async function createPullRequest(workspace) {
  const images = path.join(workspace, 'images')
  const put = (name, as = name) => cp(path.join(root, 'examples/images', name), path.join(images, as))
  const git = (...args) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args], {
      cwd: workspace,
    })
  await mkdir(path.join(workspace, 'node_modules/.bin'), { recursive: true })
  const command = path.join(root, 'packages/cli/dist/bin.js')
  const shim = `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`
  await writeFile(path.join(workspace, 'node_modules/.bin/pixpress'), shim, { mode: 0o755 })
  await writeFile(path.join(workspace, '.gitignore'), 'node_modules\n.cache\n')
  await writeFile(path.join(workspace, 'package.json'), '{}\n')
  const budgets = [{ image: '200 kB' }, { include: 'images/**', total: '1 MB' }]
  await writeFile(path.join(workspace, 'pixpress.config.mjs'), `export default ${JSON.stringify({ budgets })}\n`)
  await put('temple.jpg', 'header.jpg')
  await git('init', '--quiet', '-b', 'main')
  // The pictures of the comment are pushed there.
  await git('init', '--quiet', '--bare', `${workspace}.git`)
  await git('remote', 'add', 'origin', `${workspace}.git`)
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'Begin')
  await put('mountains.jpg', 'header.jpg')
  await put('coffee.png')
  await put('dahlia.jpg')
  await put('logo.png')
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'Add pictures')
}

/** Runs the Action's steps as a runner does, and gives what they write. */
async function commentOf(workspace, runner) {
  await mkdir(runner, { recursive: true })
  const at = (name) => path.join(runner, name)
  const commitOf = async (name) => (await run('git', ['rev-parse', name], { cwd: workspace })).stdout.trim()
  const repo = { full_name: 'owner/site' }
  const base = { sha: await commitOf('HEAD~1'), ref: 'main', repo }
  const head = { sha: await commitOf('HEAD'), ref: 'pictures', repo }
  await writeFile(at('event.json'), JSON.stringify({ number: 7, pull_request: { number: 7, base, head } }))
  const env = {
    ...process.env,
    INPUT_COMMENT: 'false',
    INPUT_PICTURES: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_PATH: at('event.json'),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_STEP_SUMMARY: at('summary'),
    GITHUB_REPOSITORY: 'owner/site',
    GITHUB_SERVER_URL: SERVER,
    RUNNER_TEMP: runner,
  }
  for (const step of ['check', 'pictures', 'report'])
    await run(process.execPath, [path.join(root, 'action', `${step}.mjs`)], { cwd: workspace, env })
  return readFile(at('summary'), 'utf8')
}
