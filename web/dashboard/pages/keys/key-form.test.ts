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
    session: 'off',
  })
})

it('sends what is usual only where it decides when sessions are asked for', () => {
  const form = { ...emptyKeyForm('site_1'), normalPerMinute: '60' }

  const sent = (['off', 'pressure', 'always'] as const).map((session) => readKeyForm({ ...form, session }))

  expect(sent.map(({ session, normalPerMinute }) => [session, normalPerMinute])).toEqual([
    ['off', undefined],
    ['pressure', 60],
    ['always', 60],
  ])
  expect(readKeyForm({ ...form, session: 'always', normalPerMinute: ' ' })).toMatchObject({ normalPerMinute: null })
  expect(readKeyForm({ ...form, session: 'always', normalPerMinute: 'many' })).toMatchObject({ normalPerMinute: 0 })
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
