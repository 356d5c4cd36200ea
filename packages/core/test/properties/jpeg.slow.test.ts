import { describePromises } from './promises.ts'

describePromises('image/jpeg')
