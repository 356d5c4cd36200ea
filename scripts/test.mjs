import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pnpm, prepare, root } from './bootstrap.mjs'

const results = path.join(root, 'node_modules', '.cache', 'test-results.json')

prepare()
pnpm('lint', 'run', '--silent', 'lint')
pnpm('types', 'run', '--silent', 'typecheck')
pnpm('package checks', 'run', '--silent', 'check:packages')
pnpm('unused code', 'run', '--silent', 'check:unused')
mkdirSync(path.dirname(results), { recursive: true })
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
pnpm('tests', 'exec', 'vitest', 'run', ...reporters, ...process.argv.slice(2))

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'))
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
