import { prepare } from './bootstrap.mjs'

// `npm run setup`: dependencies as the lock file says, and the packages compiled, without a pnpm of your own.
prepare()
