import { testWatch } from '../webpack/suites/watch.ts'

testWatch('rspack')
