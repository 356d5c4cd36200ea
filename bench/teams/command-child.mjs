import { reportUsageAtExit } from '../measure/resource-usage.mjs'

// Runs the built command and reports its usage: `node command-child.mjs <arguments of pixpress>`.
reportUsageAtExit()
await import('../../packages/cli/dist/bin.js')
