import { reportUsageAtExit } from '../measure/resource-usage.mjs'

// Run as `node command-child.mjs <arguments of pixpress>`: the built command, which tells what it took.
reportUsageAtExit()
await import('../../packages/cli/dist/bin.js')
