import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Project } from '@pixpress/testkit'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder that all test files of one run share, empty when it begins. */
    sharedFolder: string
  }
}

/** The folder of results in a project, where no option names another. */
export const RESULTS = '.cache/pixpress'

/** A finished result in a cache's folder, by its key. */
const ENTRY = /^[\da-f]{64}$/

/** Makes the folder before the first test file runs, and removes it after the last. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-contract-cache-'))
  provide('sharedFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}

/**
 * Gives a project the results of the builds before it, of other bundlers too: equal images with equal operations are
 * equal work, and encoding it anew for each bundler says nothing of the bundler.
 */
export async function borrowResults(project: Project): Promise<void> {
  await copyEntries(inject('sharedFolder'), project.path(RESULTS))
}

/** Leaves a project's results to the builds after it. */
export async function lendResults(project: Project): Promise<void> {
  await copyEntries(project.path(RESULTS), inject('sharedFolder'))
}

/** Whole files under their names at once, as several test files read and write the folder. */
async function copyEntries(from: string, to: string): Promise<void> {
  const present = new Set(await readdir(to, { recursive: true }).catch(() => []))
  for (const entry of await readdir(from, { recursive: true }).catch(() => [])) {
    if (!ENTRY.test(path.basename(entry)) || present.has(entry)) continue
    const target = path.join(to, entry)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(path.join(from, entry), `${target}.${process.pid}.tmp`)
    await rename(`${target}.${process.pid}.tmp`, target)
  }
}
