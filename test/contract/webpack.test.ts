import { describeContract } from './contract.ts'

describeContract('webpack')
