import { element, bytesText, countText } from '@pixpress/face'
import { createAccount } from './account.ts'
import { save, saveArchive } from './archive.ts'
import { createDetail } from './detail.ts'
import { takeFiles } from './intake.ts'
import { createJob } from './job.ts'
import type { Job, Result } from './job.ts'
import { createLimiter } from './limiter.ts'
import { createRow } from './row.ts'
import type { Row } from './row.ts'
import { QUALITIES, readSettings } from './settings.ts'
import type { Settings } from './settings.ts'

const byId = <Element extends HTMLElement>(id: string): Element => document.getElementById(id) as Element

/** Requests at once: the browser's own limit for one server is six, and the rest of the page needs some. */
const AT_ONCE = 4

/** `true` for the page that `pixpress` opens without a command: one person on this machine uses it until it ends. */
const isPersonal = document.body.dataset['isPersonal'] === 'true'
const maxBytes = Number(document.body.dataset['maxBytes'])
const KEY_NEEDED = isPersonal ? 'Open the whole address that the terminal shows.' : 'This server asks for a key.'
const form = byId<HTMLFormElement>('settings')
const problem = byId('problem')
const files = byId<HTMLInputElement>('files')
const downloadAll = byId<HTMLButtonElement>('download-all')
const apply = byId<HTMLButtonElement>('apply')
const detail = createDetail()
const workshop = { limiter: createLimiter(AT_ONCE), maxBytes }
const rows = new Map<Job, Row>()
document.body.append(detail.element)

const account = createAccount(
  {
    form: byId('account'),
    key: byId('key'),
    field: byId('key-field'),
    details: byId('more'),
    title: byId('more-title'),
    problem,
    isPersonal,
  },
  (count) => {
    if (isPersonal) return
    byId('count').textContent = `${countText(count, 'compression')} this month`
  },
  () => {
    for (const job of rows.keys()) if (job.settings === undefined) run(job)
  },
)

takeFiles(files, (chosen) => {
  if (detail.element.open) detail.element.close()
  for (const file of chosen) add(file)
  if (account.service === undefined) {
    const count = rows.size
    account.ask(`${KEY_NEEDED} ${countText(count, 'picture waits', 'pictures wait')} for it.`)
  }
})

function add(file: File): void {
  const job = createJob(file, workshop, (changed) => {
    rows.get(changed)?.update()
    showTotals()
  })
  const row = createRow(job, { compare: detail.open, retry: run, remove })
  rows.set(job, row)
  byId('jobs').append(row.element)
  row.update()
  showTotals()
  if (account.service !== undefined) run(job)
}

function run(job: Job): void {
  const settings = currentSettings()
  if (account.service === undefined) account.ask(KEY_NEEDED)
  else if (settings !== undefined) void job.run(account.service, settings)
}

function remove(job: Job): void {
  const row = rows.get(job)!
  const next = row.element.nextElementSibling ?? row.element.previousElementSibling
  job.cancel()
  row.dispose()
  rows.delete(job)
  row.element.remove()
  const near = next?.querySelector<HTMLElement>('button') ?? (rows.size === 0 ? files : byId('add'))
  showTotals()
  near.focus()
}

function currentSettings(): Settings | undefined {
  const asked = readSettings(new FormData(form))
  problem.textContent = 'problem' in asked ? asked.problem : ''
  return 'problem' in asked ? undefined : asked.settings
}

function chosenResults(): readonly { readonly job: Job; readonly chosen: Result }[] {
  return [...rows.keys()].flatMap((job) => (job.state.kind === 'done' ? [{ job, chosen: job.state.chosen }] : []))
}

function showTotals(): void {
  const done = chosenResults()
  const before = done.reduce((sum, { job }) => sum + job.file.size, 0)
  const after = done.reduce((sum, { chosen }) => sum + chosen.data.size, 0)
  const failed = [...rows.keys()].filter(({ state }) => state.kind === 'failed').length
  const toGo = rows.size - done.length - failed
  document.body.classList.toggle('begun', rows.size > 0)
  byId('actions').hidden = rows.size === 0
  byId('title').textContent = titleOf(before - after, toGo, done.length)
  const parts = [
    done.length > 0 ? `${countText(done.length, 'picture is', 'pictures are')} ready` : '',
    toGo > 0 ? `${toGo} to go` : '',
    failed > 0 ? `${failed} ${failed === 1 ? 'needs' : 'need'} you` : '',
  ].filter((part) => part !== '')
  byId('sentence').replaceChildren(
    ...(done.length > 0 ? [bold(before), ' became ', bold(after), '. '] : []),
    parts.length === 0 ? '' : `${parts.join(', ')}.`,
  )
  downloadAll.hidden = done.length === 0
  downloadAll.textContent = done.length === 1 ? 'Download' : `Download all ${done.length} (zip, ${bytesText(after)})`
  showApply()
}

const bold = (bytes: number): HTMLElement => element('b', { textContent: bytesText(bytes) })

function titleOf(saved: number, toGo: number, done: number): string {
  if (rows.size === 0) return 'Make pictures smaller'
  if (done === 0) return toGo > 0 ? 'Compressing' : 'Nothing compressed'
  return saved > 0 ? `${bytesText(saved)} saved` : 'As small as they get'
}

/** Pictures that were made with other settings than those of the form are made anew when the user says so. */
function outdated(): readonly Job[] {
  const asked = readSettings(new FormData(form))
  if ('problem' in asked) return []
  const wished = JSON.stringify(asked.settings)
  return chosenResults().flatMap(({ job }) => (JSON.stringify(job.settings) === wished ? [] : [job]))
}

function showApply(): void {
  const count = outdated().length
  apply.hidden = count === 0
  apply.textContent = `Apply settings to ${countText(count, 'picture')}`
}

function showQuality(): void {
  const slider = byId<HTMLInputElement>('quality')
  const { name, says } = QUALITIES[Number(slider.value)]!
  slider.setAttribute('aria-valuetext', `${name}: ${says}`)
  const sentence = byId('quality-sentence')
  sentence.replaceChildren(element('b', { textContent: name }), ` ${says}`)
  for (const [at, each] of document.querySelectorAll('.quality-names span').entries())
    each.classList.toggle('on', at === Number(slider.value))
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => {
  showQuality()
  currentSettings()
  showApply()
})
apply.addEventListener('click', () => {
  for (const job of outdated()) run(job)
  byId('title').scrollIntoView({ block: 'nearest' })
})
byId('add').addEventListener('click', () => files.click())
downloadAll.addEventListener('click', () => {
  const results = chosenResults().map(({ chosen }) => chosen)
  if (results.length === 1) {
    save(results[0]!.data, results[0]!.name)
    return
  }
  downloadAll.disabled = true
  void saveArchive(results, 'pixpress.zip').finally(() => {
    downloadAll.disabled = false
  })
})

/** Says how long the server keeps pictures, in the largest unit that gives a whole number. */
function showLimits(): void {
  const minutes = Number(document.body.dataset['retention']) / 60_000
  const time = minutes % 60 === 0 ? countText(minutes / 60, 'hour') : countText(Math.round(minutes), 'minute')
  byId('most').textContent = `up to ${bytesText(maxBytes)}`
  byId('kept').textContent = isPersonal
    ? 'They stay on this computer.'
    : `They stay on this server and are deleted after ${time === '1 hour' ? 'an hour' : time}.`
}

byId('counted').hidden = isPersonal
showQuality()
showLimits()
showTotals()
