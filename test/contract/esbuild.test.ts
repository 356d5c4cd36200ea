import { describeContract } from './contract.ts'

describeContract('esbuild')
