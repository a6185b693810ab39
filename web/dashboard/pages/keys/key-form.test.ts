import { expect, it } from 'vitest'
import type { KeyResource } from '../../../../src/contract/admin.ts'
import { keyDefaults } from '../../../../src/contract/key-defaults.ts'
import { choosePurpose, emptyKeyForm, keyFormOf, readKeyChange, readKeyForm } from './key-form.ts'
import { describeProtection } from './key-protection.ts'

const key: KeyResource = {
  id: 'key_1',
  kind: 'assistant',
  name: 'Website',
  hint: 'abcd',
  siteId: 'site_1',
  scopes: [],
  ipRanges: [],
  origins: ['https://docs.example.com'],
  groups: [],
  answerOptions: [],
  purpose: 'website',
  ...keyDefaults.website,
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
}

it('makes an assistant key for a website of its site, with lists by line or comma', () => {
  const form = {
    ...emptyKeyForm('site_1'),
    name: 'Website',
    expiry: '30',
    ipRanges: ' 10.0.0.0/8\n\n192.0.2.1, 2001:db8::/32 ',
    origins: 'https://docs.example.com',
    groups: 'staff',
  }

  expect(readKeyForm(form)).toEqual({
    kind: 'assistant',
    name: 'Website',
    siteId: 'site_1',
    expiresInDays: 30,
    ipRanges: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'],
    origins: ['https://docs.example.com'],
    groups: ['staff'],
    answerOptions: [],
    purpose: 'website',
    ...keyDefaults.website,
  })
})

it('takes the limits of another purpose when that is chosen, and what is left empty from it', () => {
  const form = { ...emptyKeyForm('site_1'), ...choosePurpose('server') }

  expect(readKeyForm(form)).toMatchObject({ purpose: 'server', ...keyDefaults.server })
  expect(readKeyForm({ ...form, ...choosePurpose('website'), networkPerDay: ' ' })).toMatchObject(keyDefaults.website)
})

it('sends what is not a number as one that is refused', () => {
  expect(readKeyForm({ ...emptyKeyForm('site_1'), networkPerDay: 'many' })).toMatchObject({ networkPerDay: -1 })
})

it('sends nothing for an admin key that only assistant keys have', () => {
  const form = { ...emptyKeyForm('site_1'), kind: 'admin' as const, name: 'CI', origins: 'https://a.example' }

  expect(readKeyForm({ ...form, scopes: ['read'] })).toEqual({
    kind: 'admin',
    name: 'CI',
    expiresInDays: null,
    ipRanges: [],
    scopes: ['read'],
  })
})

it('changes only what was changed in the form', () => {
  const form = keyFormOf(key)

  expect(readKeyChange(form, key)).toEqual({})
  expect(readKeyChange({ ...form, name: 'Portal', origins: '', networkPerDay: '7', expiry: 'never' }, key)).toEqual({
    name: 'Portal',
    origins: [],
    networkPerDay: 7,
    expiresInDays: null,
  })
  expect(readKeyChange({ ...form, ...choosePurpose('server') }, key)).toEqual({
    purpose: 'server',
    session: 'off',
    networkPerMinute: 0,
    networkPerDay: 0,
    networkSharePercent: 0,
  })
})

it('says in short what protects a key', () => {
  expect(describeProtection(keyDefaults.website)).toBe(
    'Sessions required above 30 requests per minute. At most 120 requests per minute, 5,000 requests per day, 5% of the monthly answers per day.',
  )
  expect(describeProtection(keyDefaults.server)).toBe('No limits.')
})
