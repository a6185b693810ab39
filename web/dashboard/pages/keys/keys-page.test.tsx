import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { keyDefaults } from '../../../../src/contract/key-defaults.ts'
import { refuse } from '../../testing/fake-service.ts'
import { openPage } from '../../testing/open-page.tsx'
import { writeAssistantSamples } from './code-samples.ts'
import { FakeEvents } from '../../testing/fake-events.ts'
import { makeKey, page, someTime } from '../../testing/samples.ts'

const lists = { listKeys: () => page([makeKey()]), listKeyUsage: () => page([]) }

it('makes a key with what was chosen, says what is wrong with a number, and shows the key once', async () => {
  const { user, service } = openPage('/default/keys', {
    ...lists,
    createKey: ({ body }) => ({ ...makeKey({ name: body.name, session: 'always' }), secret: 'svc_dsc_secret' }),
  })

  await user.click(await screen.findByRole('button', { name: 'Create key' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Guarded')
  await user.click(dialog.getByText('Limits per network'))
  expect(dialog.getByLabelText('Normal requests per minute')).toHaveProperty('value', '30')
  await user.click(dialog.getByRole('radio', { name: /^A server/ }))
  expect(dialog.queryByLabelText('Normal requests per minute')).toBeNull()
  await user.click(dialog.getByRole('radio', { name: /^A website/ }))
  await user.selectOptions(dialog.getByLabelText('Requires a session'), 'Always')
  const usual = dialog.getByLabelText('Normal requests per minute')
  await user.clear(usual)
  await user.type(usual, 'many')
  await user.click(dialog.getByText('Limits per network'))
  await user.click(dialog.getByRole('button', { name: 'Create key' }))

  await dialog.findByRole('alert')
  expect(document.activeElement).toBe(usual)
  await user.clear(usual)
  await user.type(usual, '60')
  await user.click(dialog.getByRole('button', { name: 'Create key' }))
  await dialog.findByText('svc_dsc_secret')
  await dialog.findByText(/^Requests with this key require a session/)
  await user.click(dialog.getByRole('button', { name: 'Done' }))

  expect(screen.queryByText('svc_dsc_secret')).toBeNull()
  expect(service.bodies('createKey')).toMatchObject([
    { ...keyDefaults.website, name: 'Guarded', session: 'always', normalPerMinute: 60, siteId: 'site_1' },
  ])
})

it('sends of a key only what was changed, with errors at their fields', async () => {
  const key = makeKey({ groups: ['staff'] })
  const { user, service } = openPage('/default/keys', {
    ...lists,
    listKeys: () => page([key]),
    updateKey: ({ body }) =>
      body.origins?.includes('portal') === true
        ? refuse(400, 'invalid_request', 'No.', [{ path: 'origins.0', message: '"portal" is not an origin.' }])
        : makeKey({ ...key, name: body.name ?? '' }),
  })

  await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  await user.click(await screen.findByRole('menuitem', { name: /Edit/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText(/Reader groups/)).toHaveProperty('value', 'staff')
  expect(dialog.queryByText('Kind')).toBeNull()
  await user.clear(dialog.getByLabelText('Name'))
  await user.type(dialog.getByLabelText('Name'), 'Portal')
  await user.type(dialog.getByLabelText(/Allowed origins/), 'portal')
  await user.click(dialog.getByRole('button', { name: 'Save changes' }))

  expect((await dialog.findByRole('alert')).textContent).toContain('"portal" is not an origin')
  expect(dialog.getByLabelText(/Allowed origins/).getAttribute('aria-invalid')).toBe('true')
  expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Portal')
  await user.clear(dialog.getByLabelText(/Allowed origins/))
  await user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await screen.findByText('Saved key Portal.')
  expect(service.bodies('updateKey')).toEqual([{ name: 'Portal', origins: ['portal'] }, { name: 'Portal' }])
})

it('shows what others make while it is on the screen', async () => {
  const { service } = openPage('/default/keys', lists)
  await screen.findByText('Shop')

  service.answers.listKeys = () => page([makeKey(), makeKey({ id: 'key_2', name: 'Made elsewhere' })])
  FakeEvents.tell({ type: 'key-changed', id: 'key_2' })

  expect(await screen.findByText('Made elsewhere')).toBeDefined()
})

it('copies the key and the code as they stand, with the address, the site and the key filled in', async () => {
  const { user } = openPage('/default/keys', {
    ...lists,
    createKey: () => ({ ...makeKey(), secret: 'svc_dsc_secret' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Create key' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Samples')
  await user.click(dialog.getByRole('button', { name: 'Create key' }))

  await user.click(await dialog.findByRole('button', { name: 'Copy key' }))
  expect(await navigator.clipboard.readText()).toBe('svc_dsc_secret')
  await user.click(dialog.getByRole('button', { name: 'Copy curl sample' }))

  const [sample] = writeAssistantSamples({ baseUrl: location.origin, domain: 'docs', secret: 'svc_dsc_secret' })
  expect(await navigator.clipboard.readText()).toBe(sample.code)
  expect(sample.code).toContain(`${location.origin}/discovery/v2/assistant/docs/message`)
})

it('revokes the unused of several keys, and takes that back', async () => {
  const busy = makeKey({ id: 'key_2', name: 'Busy', lastUsedAt: new Date().toISOString() })
  const old = makeKey({ id: 'key_3', name: 'Old', lastUsedAt: someTime })
  const { user, service } = openPage('/default/keys', {
    ...lists,
    listKeys: () => page([makeKey(), busy, old]),
    revokeKey: ({ params }) => makeKey({ id: params['id'] ?? '', revokedAt: someTime }),
    restoreKey: () => makeKey(),
  })

  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows' }))
  await user.click(screen.getByRole('button', { name: 'Revoke 2 unused keys' }))
  await user.click(await screen.findByRole('button', { name: /^Undo/ }))
  await screen.findByText('Undone.')

  const sent = service.sent.filter(({ id }) => id === 'revokeKey' || id === 'restoreKey')
  expect(sent.map(({ id, params }) => [id, params['id']])).toEqual([
    ['revokeKey', 'key_1'],
    ['revokeKey', 'key_3'],
    ['restoreKey', 'key_1'],
    ['restoreKey', 'key_3'],
  ])
})

it('revokes an unused key at once and takes that back, and asks for the name of one in use', async () => {
  const used = makeKey({ id: 'key_2', name: 'Busy', lastUsedAt: new Date().toISOString() })
  const { user, service } = openPage('/default/keys', {
    ...lists,
    listKeys: () => page([makeKey(), used]),
    revokeKey: ({ params }) => makeKey({ id: params['id'] ?? '', revokedAt: someTime }),
    restoreKey: () => makeKey(),
  })
  const revoke = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Revoke …' }))
  }

  await revoke('Shop')
  await user.click(await screen.findByRole('button', { name: /^Undo/ }))
  await screen.findByText('Undone.')
  await revoke('Busy')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByRole('button', { name: 'Revoke' })).toHaveProperty('disabled', true)
  await user.type(dialog.getByLabelText('Type the name of the key to confirm'), 'Busy')
  await user.click(dialog.getByRole('button', { name: 'Revoke' }))

  await screen.findByText(/^Revoked key/)
  const sent = service.sent.filter(({ id }) => id === 'revokeKey' || id === 'restoreKey')
  expect(sent.map(({ id, params }) => [id, params['id']])).toEqual([
    ['revokeKey', 'key_1'],
    ['restoreKey', 'key_1'],
    ['revokeKey', 'key_2'],
  ])
})
