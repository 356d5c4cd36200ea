/** Finds out what a project is built with, and adds the plugin to its configuration. */
export { addPlugin } from './add-plugin.ts'
export type { Addition } from './add-plugin.ts'
export { ClosedHostError, findHost, installCommand } from './find-host.ts'
export type { FoundHost } from './find-host.ts'
export { HOST_NAMES, HOSTS, linesFor } from './hosts.ts'
export { scriptKind } from './script-kind.ts'
