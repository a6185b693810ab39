import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'
import { threadCpuMs } from '../../test/support/thread-cpu-ms.ts'

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ2bC4eF6hJ8k'

/** Put together here, so that no scanner takes this file for a leak. */
const secrets: [name: string, secret: string, mask: string][] = [
  ['an assistant key of ours', `svc_dsc_${letters}`, '[key]'],
  ['an admin key of ours', `svc_${letters}`, '[key]'],
  ['an OpenAI key', `sk-proj-${letters}`, '[key]'],
  ['an Anthropic key', `sk-ant-api03-${letters}`, '[key]'],
  ['a Stripe key', `sk_live_${letters}`, '[key]'],
  ['a GitHub token', `ghp_${letters}`, '[key]'],
  ['a fine-grained GitHub token', `github_pat_${letters}`, '[key]'],
  ['a GitLab token', `glpat-${letters}`, '[key]'],
  ['a Slack token', `xoxb-123456-${letters}`, '[key]'],
  ['an AWS key id', `AKIA${letters.slice(0, 16).toUpperCase()}`, '[key]'],
  ['a Google key', `AIza${letters.slice(0, 35)}`, '[key]'],
  ['an npm token', `npm_${letters}`, '[key]'],
  ['a Hugging Face token', `hf_${letters}`, '[key]'],
  ['a JSON web token', `eyJhbGciOi.${letters}.${letters}`, '[key]'],
  ['a bearer token', `Bearer ${letters}`, 'Bearer [token]'],
  ['basic credentials', `authorization: basic ${letters}==`, 'authorization: basic [token]'],
  ['credentials in an address', 'postgres://docent:hunter2@db.internal/x', 'postgres://[credentials]@db.internal/x'],
  ['an e-mail address', 'ann.lee+docs@mail.example.co.uk', '[e-mail]'],
  ['an e-mail address in another script', 'анна@пример.рф', '[e-mail]'],
  ['an e-mail address that is kept from becoming a link', 'ann`@example.com`', '[e-mail]'],
  ['a card number', '4111 1111 1111 1111', '[card number]'],
  ['a card number without spaces', '5555555555554444', '[card number]'],
  ['a card number with hyphens', '3782-822463-10005', '[card number]'],
  [
    'a private key',
    `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`,
    '[private key]',
  ],
  ['a private key that breaks off', `-----BEGIN PRIVATE KEY-----\n${letters}`, '[private key]'],
]

describe('what is masked', () => {
  it.each(secrets)('%s', (_, secret, mask) => {
    expect(maskSecrets(secret)).toBe(mask)
  })
})

it.each([
  'Send the header "Authorization: Bearer <key>".',
  'Bearer svc_dsc_…',
  'Keys begin with sk- or svc_dsc_ and are public.',
  'npm install @ai-sdk/react@2.0.280',
  'git clone git@github.com:owner/repository.git',
  'At 1732000000123 milliseconds, order 1234567890123456',
  'The commit 4111111111111112 is no card.',
  'task-management-for-everybody-in-the-company',
  'https://docs.example.com:8080/a@b?x=1',
  'thread 01K5Z3N8M4T6Q2W9X7V1B0C5D3, version 3.14159265358979323',
])('leaves what documentation says: %s', (text) => {
  expect(maskSecrets(text)).toBe(text)
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })

it('finds each of them wherever it stands alone, beside any other text', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...secrets.slice(0, -1)), anyText, (before, [, secret], after) => {
      const hidden =
        secret
          .split(/\s|:\/\//)
          .at(-1)
          ?.split('@')[0] ?? ''

      expect(maskSecrets(`${before} ${secret}\n${after}`)).not.toContain(hidden)
    }),
  )
})

it('leaves prose as it is', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 40 })

  fc.assert(fc.property(words, (list) => maskSecrets(list.join(' ')) === list.join(' ')))
})

it.each(['a.', '1 ', 'x@', 'sk-', '-----BEGIN PRIVATE KEY-----', 'a://b:'])(
  'takes a moment for a megabyte of %j',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    const startedAt = threadCpuMs()

    maskSecrets(text)

    expect(threadCpuMs() - startedAt).toBeLessThan(3_000)
  },
)
