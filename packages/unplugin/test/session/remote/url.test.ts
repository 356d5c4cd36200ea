import { describe, expect, it } from 'vitest'
import { readRemoteUrl } from '../../../src/session/remote/url.ts'

describe('readRemoteUrl', () => {
  it('takes the query for the other server’s, and a fragment that begins with `?` for directives', () => {
    expect(readRemoteUrl('https://host/a.jpg?w=800#?w=400;800&format=webp')).toMatchObject({
      url: new URL('https://host/a.jpg?w=800'),
      query: '?w=400;800&format=webp',
      hash: '',
    })
    expect(readRemoteUrl('https://host/a.svg#icon')).toMatchObject({ query: '', hash: '#icon' })
  })

  it('shows a query as a digest', () => {
    expect(readRemoteUrl('https://host/a.jpg?key=1')!.name).toMatch(/^https:\/\/host\/a\.jpg\?sha256=[\da-f]{8}$/)
    expect(readRemoteUrl('https://host/a.jpg')!.name).toBe('https://host/a.jpg')
  })

  it.each(['//host/a.jpg', '/a.jpg', 'data:image/png;base64,AA==', 'ftp://host/a.jpg', 'https://'])(
    'leaves %s',
    (url) => {
      expect(readRemoteUrl(url)).toBeUndefined()
    },
  )
})
