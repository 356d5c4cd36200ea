import { testBuilds } from '../webpack/suites/builds.ts'

testBuilds('rspack')
