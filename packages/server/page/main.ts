import { zip } from 'fflate'
import { readCommands } from './commands.ts'
import { createComparison } from './compare.ts'
import { distinctNames } from './names.ts'
import { createResults } from './results.ts'
import { createService } from './service.ts'
import type { Service } from './service.ts'
import { formatBytes, formatChange } from './units.ts'

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T

const account = byId<HTMLFormElement>('account')
const options = byId<HTMLFormElement>('options')
const files = byId<HTMLInputElement>('files')
const drop = byId('drop')
const downloadAll = byId<HTMLButtonElement>('download-all')
const message = byId('account-message')

/** There is one once a key has been found right. */
let service: Service | undefined

/** Files that were chosen before a key was found right. */
const waiting: File[] = []

const results = createResults(
  { list: byId('results'), template: byId<HTMLTemplateElement>('result') },
  {
    commands: () => readCommands(new FormData(options)),
    compress: (file, commands) => service!.compress(file, commands),
    compare: createComparison(byId<HTMLDialogElement>('compare')),
    onChange: showTotals,
  },
)

account.addEventListener('submit', (event) => {
  event.preventDefault()
  void signIn(byId<HTMLInputElement>('key').value.trim())
})

files.addEventListener('change', () => {
  take(files.files)
  // The same file may be chosen again.
  files.value = ''
})

document.addEventListener('paste', (event) => take(event.clipboardData?.files))

for (const type of ['dragenter', 'dragover'] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault()
    drop.classList.add('over')
  })
}

for (const type of ['dragleave', 'drop'] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    if (event.type === 'drop') take((event as DragEvent).dataTransfer?.files)
  })
}

downloadAll.addEventListener('click', () => {
  downloadAll.disabled = true
  void saveAll().finally(() => {
    downloadAll.disabled = false
  })
})

takeKeyOfUrl()
window.addEventListener('hashchange', takeKeyOfUrl)

async function signIn(key: string): Promise<void> {
  message.textContent = ''
  const candidate = createService(key, showCount)
  try {
    if (await candidate.validate()) {
      service = candidate
      message.textContent = ''
      byId('files').focus()
      for (const file of waiting.splice(0)) results.add(file)
    } else {
      message.textContent = 'The server does not know this key.'
    }
  } catch (error) {
    message.textContent = error instanceof Error ? error.message : String(error)
  }
}

function take(chosen: FileList | null | undefined): void {
  if (chosen === null || chosen === undefined || chosen.length === 0) return
  if (service !== undefined) {
    for (const file of chosen) results.add(file)
    return
  }
  waiting.push(...chosen)
  const wait = waiting.length === 1 ? '1 image waits' : `${waiting.length} images wait`
  message.textContent = `Enter your API key: ${wait} for it.`
  byId('key').focus()
}

/**
 * Takes the key of the URL that the server prints on its own machine: it stands behind `#`, which browsers keep to
 * themselves.
 */
function takeKeyOfUrl(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  // Neither the address bar nor the history is a place for a key.
  history.replaceState(null, '', location.pathname + location.search)
  void signIn(key)
}

function showCount(count: number): void {
  byId('count').textContent = `${count} ${count === 1 ? 'compression' : 'compressions'} this month`
}

function showTotals(): void {
  const before = results.done.reduce((sum, { file }) => sum + file.size, 0)
  const after = results.done.reduce((sum, { image }) => sum + image.data.size, 0)
  const count = results.done.length
  byId('totals').textContent =
    count === 0
      ? ''
      : `${count} ${count === 1 ? 'image' : 'images'}, ${formatBytes(before)} → ${formatBytes(after)}  ${formatChange(before, after)}`
  downloadAll.hidden = count === 0
}

async function saveAll(): Promise<void> {
  const done = results.done
  const names = distinctNames(done.map(({ name }) => name))
  const contents = await Promise.all(done.map(async ({ image }) => new Uint8Array(await image.data.arrayBuffer())))
  const entries = Object.fromEntries(names.map((name, index) => [name, contents[index]!]))
  // Images do not get any smaller.
  const archive = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    zip(entries, { level: 0 }, (error, data) =>
      error === null ? resolve(data as Uint8Array<ArrayBuffer>) : reject(error),
    )
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([archive], { type: 'application/zip' }))
  link.download = 'pixpress.zip'
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
