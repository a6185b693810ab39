import { expect, it } from 'vitest'
import { emptyKeyForm, readKeyForm } from './key-form.ts'

it('makes an assistant key of its site, with lists by line or comma', () => {
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
  })
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
