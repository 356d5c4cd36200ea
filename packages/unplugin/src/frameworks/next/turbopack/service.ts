import http from 'node:http'
import { sessionIdentity } from '../../../session/registry.ts'
import { answerLoader } from './answers.ts'
import type { AnswerSettings } from './answers.ts'
import { SERVICE_VARIABLE, frame, unframe } from './questions.ts'
import type { Answer, Question, ServiceAddress } from './questions.ts'
import { newSocket } from './socket.ts'

/**
 * Answers the loaders of this process's build, wherever Turbopack runs them, and tells them where by a variable of the
 * environment. A process that inherits the variable, and has the same options, leaves it to the one that it comes from,
 * so that a build has one session, in the process that tells of its end.
 *
 * It keeps no process alive.
 */
export function startService(settings: AnswerSettings): void {
  const { session, root } = settings
  const identity = sessionIdentity(session.options)
  const inherited = process.env[SERVICE_VARIABLE]
  if (inherited !== undefined && (JSON.parse(inherited) as ServiceAddress).session === identity) return
  const socket = newSocket()
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.once('end', () => {
      void reply(Buffer.concat(parts), settings).then((message) => response.end(message))
    })
  })
  server.on('connection', (connection) => connection.unref())
  server.listen(socket).unref()
  const address: ServiceAddress = { socket, session: identity, root }
  process.env[SERVICE_VARIABLE] = JSON.stringify(address)
}

async function reply(message: Buffer, settings: AnswerSettings): Promise<Buffer> {
  const { head, content } = unframe<Question>(message)
  const notices: string[] = []
  try {
    const { content: made, ...rest } = await answerLoader(
      settings,
      head,
      content,
      (notice) => void notices.push(notice),
    )
    const said: Answer = { notices, ...rest }
    return frame(said, made)
  } catch (error) {
    const said: Answer = { notices, watched: [], error: error instanceof Error ? error.message : String(error) }
    return frame(said, new Uint8Array())
  }
}
