import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import * as internal from '../src/internal.ts'

const PACKAGES = ['unplugin', 'astro', 'nuxt', 'cli', 'audit', 'batch', 'migrate', 'server']

/** Packages that are bundled into the command. */
const INSIDE_CLI = new Set(['audit', 'batch', 'migrate'])
const LIST = /(?:import|export) (?:type )?\{([^}]*)\} from '@pixpress\/core\/internal'/g

const namesIn = (list: string): string[] => [...list.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name!)

/** The packages whose sources import each name. */
async function findUsers(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const users = new Map<string, Set<string>>()
  for (const name of PACKAGES) {
    const folder = path.join(WORKSPACE, 'packages', name, 'src')
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
    for (const [, list] of texts.join('\n').matchAll(LIST)) {
      const user = INSIDE_CLI.has(name) ? 'cli' : name
      for (const imported of namesIn(list!)) users.set(imported, (users.get(imported) ?? new Set()).add(user))
    }
  }
  return users
}

/** The names of each group of the list, by the packages that its comment names. */
async function readGroups(): Promise<ReadonlyMap<string, readonly string[]>> {
  const source = await readFile(path.join(WORKSPACE, 'packages/core/src/internal.ts'), 'utf8')
  const groups = source.split(/^\/\/ ((?:\w+)(?:, \w+)*)\n/m).slice(1)
  const rows = new Map<string, readonly string[]>()
  for (let at = 0; at < groups.length; at += 2) {
    const text = groups[at + 1]!
    const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => namesIn(list!))
    const values = [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name!)
    rows.set(groups[at]!, [...lists, ...values])
  }
  return rows
}

/** The group that a name belongs to. */
function groupOf(users: ReadonlySet<string>): string | undefined {
  const isPlugin = ['unplugin', 'astro', 'nuxt'].some((name) => users.has(name))
  if (users.has('server')) return users.size === 1 ? 'server' : 'server, cli, unplugin, astro, nuxt'
  if (users.has('cli')) return isPlugin ? 'unplugin, cli' : 'cli'
  return isPlugin ? 'unplugin, astro, nuxt' : undefined
}

describe('@pixpress/core/internal', () => {
  it('exports only what another package uses, in the group of its users', async () => {
    const users = await findUsers()
    const groups = await readGroups()
    const named = [...groups.values()].flat()
    expect(named.length).toBe(new Set(named).size)
    expect(named).toEqual(expect.arrayContaining(Object.keys(internal)))
    const misplaced = [...groups].flatMap(([group, names]) =>
      names.flatMap((name) => {
        const right = groupOf(users.get(name) ?? new Set())
        if (right === group) return []
        return right === undefined
          ? [`Nobody uses '${name}': remove it from internal.ts.`]
          : [`Move '${name}' to the group '${right}' of internal.ts.`]
      }),
    )
    expect(misplaced).toEqual([])
    expect([...users.keys()].filter((name) => !named.includes(name))).toEqual([])
  })

  it('holds no type that users of the packages meet in public options', async () => {
    const named = [...(await readGroups()).values()].flat()
    const met = ['ProjectOptions', 'OperationDirectives', 'ImageDetails', 'FilterPattern', 'Budget', 'WritableName']
    expect(named.filter((name) => met.includes(name))).toEqual([])
  })
})
