import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lockFile, oldNode, openLock } from '@pixpress/core/internal'
import { loadConfig } from '../base/config.ts'
import { ownVersion } from '../base/exit.ts'
import { ClosedHostError, findHost, installCommand, versionInstalled, oldPackages } from '@pixpress/migrate/init'
import { ok, problem, textOf, warning } from './contract.ts'
import type { Check } from './contract.ts'

/**
 * Checks the version of Node. The command does not even start on one that is too old; `--json` has the version in any
 * case.
 */
export const checkNode: Check = async () => {
  const old = oldNode(process.versions.node)
  const found = `Node ${process.versions.node} on ${process.platform}-${process.arch}`
  return old === undefined ? ok(found) : problem(found, 'Run: nvm install 22')
}

/** Which version of the command this is, and whether the project has the same engine behind its plugin. */
export const checkVersions: Check = async ({ cwd }) => {
  const plugin = await versionInstalled(cwd, 'unplugin-pixpress')
  const own = ownVersion()
  if (plugin === undefined || plugin === own) return ok(`pixpress ${own}`)
  const says = `pixpress is ${own}, and unplugin-pixpress ${plugin}: the two may make different images`
  return warning(says, `Run: ${installCommand(cwd, `pixpress@${own} unplugin-pixpress@${own}`)}`)
}

/** Checks the bundler or framework of the project, its version, and that the plugin is there. */
export const checkBundler: Check = async ({ cwd }) => {
  try {
    const { host, file } = await findHost(cwd, undefined)
    const versions = await Promise.all(
      host.packages.map(async (each) => [each, await versionInstalled(cwd, each)] as const),
    )
    const [installed, version] = versions.find(([, found]) => found !== undefined) ?? []
    const title = `${host.title}${version === undefined ? '' : ` ${version}`}`
    if (installed === undefined) return problem(`${title} is named, and not installed`, `Run: ${installCommand(cwd)}`)
    const [old] = await oldPackages(cwd, host)
    if (old !== undefined)
      return problem(
        `${old.name === installed ? host.title : old.name} ${old.found} is older than ${old.least}`,
        `Run: ${old.update}`,
      )
    const text = file === undefined ? '' : await readFile(path.join(cwd, file), 'utf8').catch(() => '')
    if (text.includes('pixpress')) return ok(`${title}, with the plugin in ${file}`)
    return warning(`${title}, without the plugin`, 'Run: npx pixpress init')
  } catch (error) {
    if (error instanceof ClosedHostError) {
      const mend = `Run: ${installCommand(cwd, '@craco/craco')}, then: npx pixpress init`
      return warning('create-react-app without craco, which takes no plugins', mend)
    }
    return ok('none in this folder: the command needs none')
  }
}

/** Checks that `pixpress.config` and `pixpress.lock` can be read. */
export const checkConfiguration: Check = async ({ cwd }) => {
  try {
    const { config, file } = await loadConfig(cwd)
    const root = path.resolve(file === undefined ? cwd : path.dirname(file), config.root ?? '')
    const lock = lockFile(config, root)
    const lines =
      lock === undefined ? undefined : (await openLock({ file: lock, onWarning: () => undefined })).lines.length
    const parts = [
      file === undefined ? 'no pixpress.config, so the defaults hold' : `${path.relative(cwd, file)} is right`,
      ...(lines === undefined ? [] : [`pixpress.lock has ${lines} lines`]),
    ]
    return ok(parts.join('; '))
  } catch (error) {
    return problem(textOf(error), 'Correct it: docs/options.md names every option')
  }
}
