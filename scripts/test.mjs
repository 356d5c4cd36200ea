import { pnpm, prepare } from './bootstrap.mjs'

prepare()
pnpm('lint', 'run', '--silent', 'lint')
pnpm('types', 'run', '--silent', 'typecheck')
pnpm('package checks', 'run', '--silent', 'check:packages')
pnpm('unused code', 'run', '--silent', 'check:unused')
pnpm('tests', 'exec', 'vitest', 'run', ...process.argv.slice(2))
