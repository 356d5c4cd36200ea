import { describeContract } from './contract.ts'

describeContract('rolldown')
