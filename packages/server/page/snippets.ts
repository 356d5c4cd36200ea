import type { Job, Result } from './job.ts'
import { USUAL_QUALITY } from './settings.ts'

/** A text to copy that does what the page has done. */
export interface Snippet {
  readonly name: string
  readonly text: string
}

/** Lists the texts for a picture that was made. No key is part of them. */
export function snippetsOf(job: Job, chosen: Result): readonly Snippet[] {
  const server = new URL('.', document.baseURI).href.replace(/\/$/, '')
  return [
    { name: '<picture>', text: pictureElement(job, chosen) },
    { name: 'curl', text: curl(server, job, chosen) },
    {
      name: 'JavaScript',
      text: isUsual(job) && isClientAllowed(server) ? withClient(server, job, chosen) : withFetch(server, job, chosen),
    },
  ]
}

/** The types that browsers choose from, the smallest first; the last one is for all of them. */
function pictureElement({ state, type }: Job, chosen: Result): string {
  const results = state.kind === 'done' ? state.results : [chosen]
  const own = results.find((each) => each.type === type) ?? chosen
  const better = results
    .filter((each) => each !== own && each.data.size < own.data.size)
    .sort((a, b) => a.data.size - b.data.size)
  const size = own.width > 0 ? ` width="${own.width}" height="${own.height}"` : ''
  const image = `<img src="${attribute(own.name)}"${size} alt="">`
  if (better.length === 0) return image
  const sources = better.map(({ name, type: each }) => `  <source srcset="${attribute(name)}" type="${each}">`)
  return ['<picture>', ...sources, `  ${image}`, '</picture>'].join('\n')
}

/** Writes a name as a relative URL in an attribute. In `srcset`, spaces and commas would end it. */
const attribute = (name: string): string => encodeURIComponent(name).replaceAll("'", '%27')

function curl(server: string, job: Job, { name, type }: Result): string {
  const { upload, query, commands } = requestOf(job, type)
  const body =
    commands === undefined ? '' : ` \\\n  --header 'Content-Type: application/json' --data ${quoted(commands)}`
  return `output=$(curl --silent --show-error --fail --user "api:$PIXPRESS_KEY" --data-binary ${quoted(`@${job.file.name}`)} \\
  --output /dev/null --write-out '%header{location}' ${quoted(`${server}/shrink${upload}`)})
curl --silent --show-error --fail --user "api:$PIXPRESS_KEY"${body} \\
  --output ${quoted(name)} "$output${query}"`
}

function withClient(server: string, job: Job, { name, type }: Result): string {
  const { resize, transform, convert } = wishOf(job, type)
  const calls = [
    `client.fromFile(${literal(job.file.name)})`,
    ...(resize === undefined ? [] : [`.resize(${object(resize)})`]),
    ...(convert === undefined ? [] : [`.convert(${object(convert)})`]),
    ...(transform === undefined ? [] : [`.transform(${object(transform)})`]),
    `.toFile(${literal(name)})`,
  ]
  return `import { createClient } from '@pixpress/client'

const client = createClient({ key: process.env.PIXPRESS_KEY, endpoint: ${literal(server)} })
await ${calls.join(calls.length > 3 ? '\n  ' : '')}`
}

function withFetch(server: string, job: Job, { name, type }: Result): string {
  const { upload, query, commands } = requestOf(job, type)
  const init =
    commands === undefined
      ? '{ headers }'
      : `{\n  method: 'POST',\n  headers: { ...headers, 'Content-Type': 'application/json' },\n  body: JSON.stringify(${object(JSON.parse(commands) as object)}),\n}`
  const end = query === '' ? '' : ` + ${literal(query)}`
  return `import { readFile, writeFile } from 'node:fs/promises'

const headers = { Authorization: \`Basic \${btoa(\`api:\${process.env.PIXPRESS_KEY}\`)}\` }
const body = await readFile(${literal(job.file.name)})
const upload = await fetch(${literal(`${server}/shrink${upload}`)}, { method: 'POST', headers, body })
if (!upload.ok) throw new Error(await upload.text())
const result = await fetch(upload.headers.get('Location')${end}, ${init})
if (!result.ok) throw new Error(await result.text())
await writeFile(${literal(name)}, result.body)`
}

const wishOf = ({ settings, type: own }: Job, type: string) => ({
  ...(type !== own && { convert: { type } }),
  ...settings!.commands,
})

function requestOf(job: Job, type: string): { upload: string; query: string; commands: string | undefined } {
  const quality = job.settings!.quality
  const wish = wishOf(job, type)
  return {
    upload: isOfInterface(job) ? '' : '?types=all',
    query: quality === USUAL_QUALITY ? '' : `?quality=${quality}`,
    commands: Object.keys(wish).length === 0 ? undefined : JSON.stringify(wish),
  }
}

/** The interface of hosted services, and so the client, has neither these types nor other qualities. */
const isOfInterface = ({ type }: Job): boolean => type !== 'image/gif' && type !== 'image/svg+xml'

const isUsual = (job: Job): boolean => isOfInterface(job) && job.settings!.quality === USUAL_QUALITY

/** The client sends no key without encryption, but on this machine. */
const isClientAllowed = (server: string): boolean =>
  /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(server)

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Writes a text of JavaScript. */
const literal = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

function object(value: object): string {
  const members = Object.entries(value as Record<string, unknown>).map(
    ([name, each]) =>
      `${name}: ${typeof each === 'object' ? object(each as object) : typeof each === 'string' ? literal(each) : String(each)}`,
  )
  return `{ ${members.join(', ')} }`
}
