import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MODULES = path.resolve(import.meta.dirname, '../node_modules')

/** The version of an installed package, as this folder's builds see it. */
function versionOf(name) {
  return JSON.parse(readFileSync(path.join(MODULES, name, 'package.json'), 'utf8')).version
}

/** The machine, and the versions of Node and of the packages. `memory` in bytes. */
export function describeMachine(packages) {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memory: os.totalmem(),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  }
}
