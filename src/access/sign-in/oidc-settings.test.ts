import { expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { readOidcOptions, roleOfGroups } from './oidc-settings.ts'

const read = (env: Record<string, string>) => readOidcOptions(loadSettings({ env }))
const issuer = { DOCENT_OIDC_ISSUER: 'https://login.example.com', DOCENT_OIDC_CLIENT_ID: 'docent' }

it('is off without an issuer', () => {
  expect(read({ DOCENT_OIDC_CLIENT_ID: 'docent' })).toBeNull()
})

it('reads domains and roles from lists', () => {
  const options = read({
    ...issuer,
    DOCENT_OIDC_DOMAINS: 'Example.com , example.org',
    DOCENT_OIDC_ROLES: 'docs admins=owner, a=b=editor',
  })

  expect(options?.domains).toEqual(['example.com', 'example.org'])
  expect([...(options?.roleOfGroup ?? [])]).toEqual([
    ['docs admins', 'owner'],
    ['a=b', 'editor'],
  ])
})

it('grants the highest role of any group, and none for unknown groups', () => {
  const options = read({ ...issuer, DOCENT_OIDC_ROLES: 'admins=owner,writers=editor' })
  if (options === null) throw new Error('An issuer is set.')

  expect(roleOfGroups(options, ['writers', 'admins', 'others'])).toBe('owner')
  expect(roleOfGroups(options, ['writers'])).toBe('editor')
  expect(roleOfGroups(options, ['others'])).toBeNull()
})

it.each([
  ['an issuer without a client', { DOCENT_OIDC_ISSUER: 'https://login.example.com' }, 'DOCENT_OIDC_CLIENT_ID'],
  ['http over the network', { ...issuer, DOCENT_OIDC_ISSUER: 'http://login.example.com' }, 'not an https address'],
  ['a role that there is not', { ...issuer, DOCENT_OIDC_ROLES: 'a=admin' }, 'DOCENT_OIDC_ROLES'],
  ['an address for a domain', { ...issuer, DOCENT_OIDC_DOMAINS: 'ann@example.com' }, 'DOCENT_OIDC_DOMAINS'],
])('refuses %s', (_, env, sentence) => {
  expect(() => read(env as Record<string, string>)).toThrow(sentence)
})

it('accepts http on loopback', () => {
  expect(read({ ...issuer, DOCENT_OIDC_ISSUER: 'http://127.0.0.1:8080' })?.issuer.host).toBe('127.0.0.1:8080')
})
