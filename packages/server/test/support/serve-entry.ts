import { serve } from '../../src/index.ts'

process.exitCode = await serve(process.argv.slice(2), process.env)
