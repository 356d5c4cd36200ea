import { resultName } from './names.ts'
import type { Commands, CompressedImage } from './service.ts'
import { formatBytes, formatChange } from './units.ts'

/** An image of the page, from its file to its result. */
export interface Result {
  readonly file: File
  /** Absent until it is done. */
  readonly image: CompressedImage | undefined
  readonly name: string
}

/** The list of results on the page. */
export interface ResultList {
  /** Works on a file and shows how that goes. */
  add(file: File): void
  readonly done: readonly (Result & { readonly image: CompressedImage })[]
}

interface Elements {
  readonly list: HTMLElement
  readonly template: HTMLTemplateElement
}

interface Behaviour {
  /** The commands to go with; a sentence about what is wrong with them. */
  readonly commands: () => { readonly commands: Commands } | { readonly problem: string }
  readonly compress: (file: File, commands: Commands) => Promise<CompressedImage>
  readonly compare: (name: string, before: Blob, after: Blob) => void
  /** The list calls it whenever an image is done. */
  readonly onChange: () => void
}

/** Uploads at once: the browser's own limit for one server is six, and the rest of the page needs some. */
const AT_ONCE = 3

/** Creates the list of results. */
export function createResults({ list, template }: Elements, behaviour: Behaviour): ResultList {
  const results: { file: File; image: CompressedImage | undefined; name: string }[] = []
  const queue: (() => Promise<void>)[] = []
  let running = 0

  function next(): void {
    while (running < AT_ONCE) {
      const work = queue.shift()
      if (work === undefined) return
      running++
      void work().finally(() => {
        running--
        next()
      })
    }
  }

  return {
    add(file) {
      const result: (typeof results)[number] = { file, image: undefined, name: file.name }
      results.push(result)
      const row = createRow(list, template, file)
      const begin = (): void => {
        const asked = behaviour.commands()
        if ('problem' in asked) {
          row.failed(asked.problem)
          return
        }
        row.waiting()
        queue.push(async () => {
          row.working()
          try {
            result.image = await behaviour.compress(file, asked.commands)
            result.name = resultName(file.name, file.type, result.image.type)
            row.done(result.name, result.image)
          } catch (error) {
            row.failed(error instanceof Error ? error.message : String(error))
          }
          behaviour.onChange()
        })
        next()
      }
      row.onRetry(begin)
      row.onCompare(() => {
        if (result.image !== undefined) behaviour.compare(file.name, file, result.image.data)
      })
      begin()
    },
    get done() {
      return results.filter((result) => result.image !== undefined) as (Result & { image: CompressedImage })[]
    },
  }
}

interface Row {
  waiting(): void
  working(): void
  done(name: string, image: CompressedImage): void
  failed(message: string): void
  onRetry(action: () => void): void
  onCompare(action: () => void): void
}

function createRow(list: HTMLElement, template: HTMLTemplateElement, file: File): Row {
  const item = (template.content.cloneNode(true) as DocumentFragment).querySelector('li')!
  const state = item.querySelector<HTMLElement>('.state')!
  const compare = item.querySelector<HTMLButtonElement>('.compare')!
  const download = item.querySelector<HTMLAnchorElement>('.download')!
  const retry = item.querySelector<HTMLButtonElement>('.retry')!
  item.querySelector('.name')!.textContent = file.name
  compare.setAttribute('aria-label', `Compare ${file.name}`)
  retry.setAttribute('aria-label', `Try ${file.name} again`)
  list.append(item)

  function say(text: string, kind: '' | 'good' | 'bad'): void {
    state.textContent = text
    state.className = `state ${kind}`
    retry.hidden = kind !== 'bad'
  }

  return {
    waiting: () => say(`${formatBytes(file.size)}, waiting`, ''),
    working: () => say(`${formatBytes(file.size)}, compressing …`, ''),
    done(name, { data, width, height }) {
      const sizes = `${formatBytes(file.size)} → ${formatBytes(data.size)}`
      say(`${sizes}  ${formatChange(file.size, data.size)}, ${width} × ${height}`, 'good')
      if (download.href !== '') URL.revokeObjectURL(download.href)
      download.href = URL.createObjectURL(data)
      download.download = name
      download.textContent = 'Download'
      download.setAttribute('aria-label', `Download ${name}`)
      download.hidden = false
      compare.hidden = false
    },
    failed: (message) => say(message, 'bad'),
    onRetry: (action) => retry.addEventListener('click', action),
    onCompare: (action) => compare.addEventListener('click', action),
  }
}
