import { testRules } from './suites/rules.ts'

testRules('webpack')
