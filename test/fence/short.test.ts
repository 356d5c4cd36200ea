import { holdFence } from './fence.ts'

holdFence('a small set of results, names and answers is the same to the byte', '--short')
