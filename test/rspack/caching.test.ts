import { testCaching } from '../webpack/suites/caching.ts'

testCaching('rspack')
