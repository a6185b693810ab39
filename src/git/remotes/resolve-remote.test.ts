import { expect, it } from 'vitest'
import { isRemoteLocation, parseRemoteUrl } from './remote-url.ts'
import { resolveRemote } from './resolve-remote.ts'

it('refuses a host of which one address is private', async () => {
  const deps = { allowsPrivateAddresses: false, lookUp: async () => ['8.8.8.8', '10.0.0.1'] }

  await expect(resolveRemote(deps, 'https://docs.example.com/a/b', null)).rejects.toThrow('private network')
})

it('pins the addresses of a name, and sets the header of a credential', async () => {
  const deps = { allowsPrivateAddresses: false, lookUp: async () => ['8.8.8.8', '2606:50c0:8000::153'] }

  const remote = await resolveRemote(deps, 'https://docs.example.com/a/b', { username: 'me', token: 'secret' })

  expect(remote).toMatchObject({
    dial: 'docs.example.com:443:8.8.8.8,[2606:50c0:8000::153]',
    authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
  })
})

it.each([
  ['https://user:secret@example.com/a', 'credential'],
  ['https://secret@example.com/a', 'credential'],
  ['http://example.com/a', 'https'],
  ['http://10.0.0.1/a', 'https'],
  ['http://127.0.0.1.example.com/a', 'https'],
  ['ssh://git@example.com/secret', 'token'],
  ['file:///etc', 'https'],
  ['ext::sh -c secret', 'https'],
  ['git@example.com:secret/a', 'not a valid'],
  ['https://example.com/a?token=secret', '"?"'],
  ['https://example.com./a', 'dot'],
])('refuses %s in a sentence that does not repeat it', (text, word) => {
  expect(() => parseRemoteUrl(text)).toThrow(word)
  expect(() => parseRemoteUrl(text)).not.toThrow('secret')
})

it('takes https anywhere, and http on this machine', () => {
  expect(
    ['https://example.com/a.git', 'http://127.0.0.1:80/a', 'http://[::1]/a', 'http://localhost/a'].map(
      (text) => parseRemoteUrl(text).href,
    ),
  ).toHaveLength(4)
})

it('distinguishes addresses from paths', () => {
  expect(['https://a/b', 'ssh://a/b', 'git@a.com:b/c', 'HTTP://a'].every(isRemoteLocation)).toBe(true)
  expect(['/srv/a', './a@b:c', 'C:/docs', '~/x', 'docs'].some(isRemoteLocation)).toBe(false)
})
