import { testRules } from '../webpack/suites/rules.ts'

testRules('rspack')
