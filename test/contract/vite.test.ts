import { describeContract } from './contract.ts'

describeContract('vite')
