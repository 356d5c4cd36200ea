import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Project } from '@pixpress/testkit'

/** Files of a project (its cache included) and texts that hold a key, plain or as it crosses the wire. */
export async function leaks(key: string, project: Project, texts: Readonly<Record<string, string>>): Promise<string[]> {
  const forms = [key, Buffer.from(`api:${key}`).toString('base64'), Buffer.from(key).toString('base64').slice(0, -4)]
  const holds = (data: Buffer): boolean => forms.some((form) => data.includes(form))
  const found = Object.entries(texts).flatMap(([name, text]) => (holds(Buffer.from(text)) ? [name] : []))
  for (const file of await writtenFiles(project.root)) if (holds(await readFile(file))) found.push(file)
  return found
}

/** Everything but the packages that are linked into the project. */
async function writtenFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = await Promise.all(
    entries.map((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return writtenFiles(file)
      return entry.isFile() ? [file] : []
    }),
  )
  return nested.flat()
}
