import http from 'node:http'
import { frame, serviceAddress, unframe } from './questions.ts'
import type { Answer, Question } from './questions.ts'

/** Asks the process that holds the session. Rejects where there is none, with a sentence that says what to do. */
export async function askService(question: Question, content: Uint8Array): Promise<{ head: Answer; content: Buffer }> {
  return unframe<Answer>(await post(serviceAddress().socket, frame(question, content)))
}

function post(socketPath: string, body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, method: 'POST', path: '/' }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('end', () => resolve(Buffer.concat(parts)))
      response.once('error', reject)
    })
    request.once('error', reject)
    request.end(body)
  })
}
