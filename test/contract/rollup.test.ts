import { describeContract } from './contract.ts'

describeContract('rollup')
