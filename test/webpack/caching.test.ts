import { testCaching } from './suites/caching.ts'

testCaching('webpack')
