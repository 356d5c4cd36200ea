import { fork } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import { serverNode } from '../../packages/testkit/src/server-node.js'
import { KEY, post } from '../server/post.mjs'
import { counted } from './counting-bucket.mjs'

/** Number of uploads at once: enough to keep all servers busy. */
const CLIENTS = 16

/**
 * Uploads images to servers that each work on one image at a time.
 * @returns `wall` and `cpu` (of all servers) in milliseconds, and the counts of the bucket
 */
export async function measureServers(where, bucket, images, count) {
  const settings = JSON.stringify({ key: KEY, ...where, s3: `${bucket.url}/outputs` })
  const servers = Array.from({ length: count }, () => startChild('replica-child.mjs', [settings]))
  try {
    const urls = (await Promise.all(servers.map(answer))).map(({ url }) => url)
    const usage = () => Promise.all(servers.map(ask))
    for (const url of urls) await upload([url], images.slice(0, 6))
    const before = [await usage(), bucket.counts()]
    const started = performance.now()
    await upload(urls, images)
    const wall = performance.now() - started
    const after = [await usage(), bucket.counts()]
    const cpu = after[0].reduce((all, each, index) => all + each - before[0][index], 0)
    return { wall, cpu, ...counted(before[1], after[1]) }
  } finally {
    for (const server of servers) server.disconnect()
  }
}

/** A script of this folder, in the Node that servers need. */
export function startChild(name, args = []) {
  return fork(path.join(import.meta.dirname, name), args, {
    execPath: serverNode(),
    execArgv: ['--experimental-strip-types', '--no-warnings'],
  })
}

async function upload(urls, images) {
  const agent = new http.Agent({ keepAlive: true })
  const waiting = [...images]
  const client = async (_, index) => {
    for (let image = waiting.shift(); image !== undefined; image = waiting.shift()) {
      await post(urls[index % urls.length], image, agent)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
}

function ask(child) {
  const answered = answer(child)
  child.send('usage')
  return answered
}

/** The next message of a child. */
export function answer(child) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`A process that is measured ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}
