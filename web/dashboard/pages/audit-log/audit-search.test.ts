import { expect, it } from 'vitest'
import { readAuditSearch } from './audit-search.ts'

it('takes an address as it was sent to somebody', () => {
  const search = { action: 'key-created', actor: 'user_1', from: '2026-03-01', to: '2026-03-02', cursor: 'audit_1' }

  expect(readAuditSearch(search)).toEqual(search)
})

it('leaves out what is no day and no name', () => {
  expect(readAuditSearch({ action: '<img>', actor: 7, from: 'yesterday', to: '2026-13-45', x: 'y' })).toEqual({})
})
