import { testDevServer } from './suites/dev-server.ts'

testDevServer('webpack')
