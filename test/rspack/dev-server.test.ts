import { testDevServer } from '../webpack/suites/dev-server.ts'

testDevServer('rspack')
