import { engineContract } from '@pixpress/testkit'

engineContract('This machine', async () => ({ engine: undefined, cleanup: async () => {} }))
