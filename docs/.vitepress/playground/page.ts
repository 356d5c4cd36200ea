import { element } from '../../../packages/face/src/index.ts'
import type { Answer, Asked } from './messages.ts'
import { createResults } from './results.ts'
import { createIntake } from './intake.ts'

/** Makes the playground: a place to drop a picture on, and what becomes of it. */
export function createPlayground(): HTMLElement {
  let worker: Worker | undefined
  let id = 0
  const status = element('p', { role: 'status', className: 'playground-status' })
  const place = element('div')

  const start = (file: Blob, name: string): void => {
    // The work of an earlier picture is not waited for.
    worker?.terminate()
    worker = new Worker(new URL('worker.ts', import.meta.url), { type: 'module' })
    id++
    const results = createResults(file, name)
    place.replaceChildren(results.element)
    status.textContent = 'Reading the picture …'
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id !== id) return
      status.textContent = sentenceOf(data) ?? status.textContent
      results.take(data)
    })
    worker.addEventListener('error', ({ message }) => {
      status.textContent = `It stopped: ${message}`
    })
    worker.postMessage({ id, file } satisfies Asked)
  }

  return element('div', {}, createIntake(start), status, place)
}

function sentenceOf(answer: Answer): string | undefined {
  switch (answer.kind) {
    case 'read':
      return `${answer.width} × ${answer.height} pixels. Looking for the fewest bytes of each type …`
    case 'done':
      return `Done in ${(answer.milliseconds / 1000).toFixed(1)} s, in this browser alone.`
    case 'failed':
      return answer.sentence
    default:
      return undefined
  }
}
