import { testWatch } from './suites/watch.ts'

testWatch('webpack')
