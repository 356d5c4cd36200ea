import { describeContract } from './contract.ts'

describeContract('farm')
