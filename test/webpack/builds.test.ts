import { testBuilds } from './suites/builds.ts'

testBuilds('webpack')
