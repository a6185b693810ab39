import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refuse } from '../../testing/fake-service.ts'
import { openPage } from '../../testing/open-page.tsx'
import { makeSite, page } from '../../testing/samples.ts'

const found = 'The folder can be read, with 2 files.'

it('goes back a step with what was typed, and says what is wrong with a slug that is taken', async () => {
  const { user, service } = openPage('/default/new', {
    checkSource: ({ body }) => ({
      source: { kind: 'folder', location: body.source?.location ?? '', ref: null, subdirectory: '' },
      canRead: true,
      canPropose: false,
      steps: [{ name: 'repository', subject: null, state: 'passed', message: found }],
    }),
    createSite: () => refuse(409, 'conflict', 'The slug docs is taken.', [{ path: 'slug', message: 'is taken' }]),
  })

  await user.click(await screen.findByRole('radio', { name: /^A folder or repository/ }))
  await user.type(screen.getByLabelText('Path on the server'), '/srv/docs')
  await user.click(screen.getByRole('radio', { name: /^Follow/ }))
  await user.click(screen.getByRole('button', { name: 'Check' }))
  await screen.findByText(found)
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByLabelText('Slug')).toHaveProperty('value', 'docs')
  await user.click(screen.getByRole('button', { name: 'Add site' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The slug is taken.')
  await user.click(screen.getByRole('button', { name: 'Back' }))

  await screen.findByText(found)
  expect(screen.getByLabelText('Path on the server')).toHaveProperty('value', '/srv/docs')
  await user.type(screen.getByLabelText('Path on the server'), '/other')
  expect(screen.queryByText(found)).toBeNull()
  expect(service.bodies('createSite')).toMatchObject([{ slug: 'docs', source: { kind: 'folder' } }])
})

it('asks for the webhook by itself, says what is in the way, and shows what is entered by hand', async () => {
  const source = { kind: 'gitea' as const, location: 'https://git.example.com/acme/docs', ref: null, subdirectory: '' }
  const { user, service } = openPage('/default/new?site=guide', {
    listSites: () => page([makeSite({ slug: 'guide', source })]),
    addSiteWebhook: () => ({ state: 'by-hand', message: 'No code host reaches this service.' }),
    showSiteWebhook: () => ({ url: 'https://docs.example.com/webhooks/gitea/site_1', secret: 'shared' }),
  })
  const card = within(await screen.findByRole('region', { name: 'Webhook' }))
  await card.findByText('No code host reaches this service.')
  expect(service.sent.filter(({ id }) => id === 'showSiteWebhook')).toEqual([])

  await user.click(card.getByRole('button', { name: 'Show address and secret' }))

  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('https://docs.example.com/webhooks/gitea/site_1')
  dialog.getByText('shared')
})
