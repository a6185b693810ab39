import { expect, it } from 'vitest'
import { toHandOverForm } from './hand-over-form.ts'
import { readChange, type SettingsForm } from './settings-form.ts'

const base: SettingsForm = {
  name: 'Docs',
  url: 'https://docs.example.com',
  hostnames: '',
  location: '/srv/docs',
  ref: '',
  subdirectory: '',
  credential: 'keep',
  tokenUser: '',
  token: '',
  instructions: '',
  dailyCostUsdMax: '',
  dailyTokensMax: '',
  suggestions: false,
  agentPaths: '',
  gapJobReaders: '',
  gapJobsPerDay: '3',
  driftJobsPerDay: '0',
  requiresNoneWorse: false,
  suiteAsksModel: false,
  digest: false,
  digestEmails: '',
  answersByAddress: false,
  allowedSecrets: '',
  supportContact: 'help@example.com',
  ...toHandOverForm(null),
}
const site = { source: { kind: 'git' as const, location: '/srv/docs', ref: null, subdirectory: '' } }

it('sends only what was changed', () => {
  expect(readChange(base, base, site)).toEqual({})
  expect(readChange({ ...base, instructions: ' Be brief. ' }, base, site)).toEqual({
    settings: { instructions: 'Be brief.' },
  })
  expect(readChange({ ...base, hostnames: 'a.example.com,\nb.example.com ' }, base, site)).toEqual({
    hostnames: ['a.example.com', 'b.example.com'],
  })
})

it('sends null for what was emptied, and zero for a ceiling of zero', () => {
  expect(readChange({ ...base, supportContact: ' ', dailyCostUsdMax: '0' }, base, site)).toEqual({
    settings: { supportContact: null, dailyCostUsdMax: 0 },
  })
})

it.each(['requiresNoneWorse', 'suiteAsksModel', 'answersByAddress'] as const)(
  'sends %s when it is turned on',
  (name) => {
    expect(readChange({ ...base, [name]: true }, base, site)).toEqual({ settings: { [name]: true } })
  },
)

it('sends the recipients of the digest, and null when it is turned off', () => {
  const on = { ...base, digest: true, digestEmails: 'a@example.com\nb@example.com' }
  expect(readChange(on, base, site).settings).toEqual({ digest: { emails: ['a@example.com', 'b@example.com'] } })
  expect(readChange({ ...on, digest: false }, on, site).settings).toEqual({ digest: null })
})

it('sends the word for no ceiling, and nothing that lifts one by mistake', () => {
  const sent = (typed: string) => readChange({ ...base, dailyCostUsdMax: typed }, base, site).settings
  expect(sent('unlimited')).toEqual({ dailyCostUsdMax: 'unlimited' })
  expect(sent('5 dollars')).toEqual({ dailyCostUsdMax: -1 })
})

it('sends the whole source when a part of it was changed, and a credential only when it was asked for', () => {
  expect(readChange({ ...base, subdirectory: '/docs/' }, base, site)).toEqual({
    source: { kind: 'git', location: '/srv/docs', ref: null, subdirectory: 'docs' },
  })
  expect(readChange({ ...base, token: 'typed and thought better of' }, base, site)).toEqual({})
  expect(readChange({ ...base, credential: 'replace', token: ' t ' }, base, site)).toEqual({
    credential: { token: 't' },
  })
  expect(readChange({ ...base, credential: 'remove' }, base, site)).toEqual({ credential: null })
})
