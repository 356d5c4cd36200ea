import { describeContract } from './contract.ts'

describeContract('bun')
