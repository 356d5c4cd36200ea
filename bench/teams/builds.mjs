import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { serverNode } from '../../packages/testkit/src/server-node.js'
import { removeCaches, runBuild, runScript } from '../measure/run-build.mjs'

const SERVER = new URL('../server/server-child.mjs', import.meta.url)
const COMMAND = path.join(import.meta.dirname, 'command-child.mjs')
const KEY = 'bench-key'

/**
 * Builds one project in the order in which the machines of a team do it.
 * @returns rows with `name`, `wall`, `cpu`, `memory`
 */
export async function measureBuilds(folder, data) {
  const rows = []
  const build = async (name, settings) => {
    process.stderr.write(`${name}\n`)
    rows.push({ name, ...(await runBuild({ bundler: 'vite', tool: 'pixpress', settings, folder })) })
  }
  await build("first, with `firstBuild: '5s'`", { effort: 'auto', firstBuild: '5s' })
  await removeCaches(folder)
  await rm(path.join(folder, 'pixpress.lock'), { force: true })
  await build('first', {})
  await build('warm, from the folder', {})
  await build('frozen, from the folder', { cache: { mode: 'frozen' } })

  const server = await startServer(data)
  try {
    const signingKey = randomBytes(32).toString('hex')
    const remote = { service: 'http', endpoint: `${server.url}/cache`, key: KEY, signingKey }
    const config = `export default ${JSON.stringify({ cache: { remote, mode: 'readwrite' } })}\n`
    await writeFile(path.join(folder, 'pixpress.config.mjs'), config)
    await runScript([COMMAND, 'cache', 'push'], { folder, name: 'pixpress cache push' })
    await removeCaches(folder)
    await build('warm, from the remote alone', { cache: { remote, mode: 'read' } })
  } finally {
    server.close()
  }
  return rows
}

async function startServer(data) {
  const child = fork(SERVER, ['1'], {
    execPath: serverNode(),
    env: { ...process.env, PIXPRESS_BENCH_DATA: data, PIXPRESS_BENCH_KEY: KEY },
  })
  const { url } = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)))
  })
  return { url, close: () => child.disconnect() }
}
