import { describe, expect, it } from 'vitest'
import { createS3Signer } from '../../src/objects/signature-v4.ts'

describe('createS3Signer', () => {
  const sign = createS3Signer({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-key', region: 'eu-west-1' })

  it('makes the digest of the body a part of what is signed', async () => {
    const url = 'https://s3.eu-west-1.amazonaws.com/bucket/key'
    const headers = await sign({ method: 'PUT', url, headers: { 'Content-Type': 'image/png' }, body: Buffer.from('x') })
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('x-amz-content-sha256')).toBe('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881')
    expect(headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[\w;-]*x-amz-content-sha256/,
    )
  })

  it('signs a request without a body as one of no bytes', async () => {
    const headers = await sign({ method: 'HEAD', url: 'https://s3.example.com/bucket' })
    expect(headers.get('x-amz-content-sha256')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('sends the token of temporary credentials', async () => {
    const temporary = createS3Signer({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c', region: 'd' })
    const headers = await temporary({ method: 'GET', url: 'https://s3.example.com/bucket/key' })
    expect(headers.get('x-amz-security-token')).toBe('c')
  })
})
