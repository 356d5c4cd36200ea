import { createProject } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { leaks } from './secrets.ts'

const KEY = 'only-tests-use-this-key-secrets'

it('finds a key in whatever form it is written', async () => {
  const wire = Buffer.from(`api:${KEY}`).toString('base64')
  const project = await createProject('remote-secrets', {
    files: { 'dist/main.js': 'nothing', 'dist/plain.json': `{"key":"${KEY}"}`, 'cache/entry': `Basic ${wire}` },
  })
  try {
    const found = await leaks(KEY, project, { stdout: 'nothing', stderr: `the key ${KEY}` })
    expect(found.toSorted()).toEqual(
      [project.path('cache/entry'), project.path('dist/plain.json'), 'stderr'].toSorted(),
    )
  } finally {
    await project.dispose()
  }
})
