import { holdFence } from './fence.ts'

holdFence('results, the encodes that lead to them, names and answers are the same to the byte')
