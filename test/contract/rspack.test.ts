import { describeContract } from './contract.ts'

describeContract('rspack')
