import { describeContract } from './contract.ts'

describeContract('rsbuild')
