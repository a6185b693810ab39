import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type BotResource, botSettingsSchema } from '../../../../src/contract/bots.ts'
import type { ContextRepositoryResource } from '../../../../src/contract/context-repositories.ts'
import { refuse } from '../../testing/fake-service.ts'
import { openPage } from '../../testing/open-page.tsx'
import { makeSite, page, someTime } from '../../testing/samples.ts'

const contexts: ContextRepositoryResource[] = []
const listContextRepositories = () => ({ items: contexts, nextCursor: null })
const listBots = () => ({ items: [] })

it('sends what was changed alone, with errors at their fields, and asks before it is left unsaved', async () => {
  let site = makeSite()
  const { user, service } = openPage('/default/docs/settings', {
    listContextRepositories,
    listBots,
    listSites: () => page([site]),
    updateSite: ({ body }) => {
      site = makeSite({ settings: { ...site.settings, ...(body.settings as object) } })
      return site
    },
  })
  const contact = await screen.findByLabelText(/Support contact/)
  const save = screen.getByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  await user.type(contact, 'not a contact')
  await user.click(save)
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The support contact/)
  expect(document.activeElement).toBe(contact)
  await user.clear(contact)
  await user.type(contact, 'help@example.com')
  await user.click(save)
  await screen.findByText('Settings saved.')
  expect(service.bodies('updateSite')).toEqual([{ settings: { supportContact: 'help@example.com' } }])

  await user.type(screen.getByLabelText(/Instructions/), 'Be brief.')
  await user.click(screen.getByRole('link', { name: 'API keys' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  dialog.getByText('Leave without saving?')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByLabelText(/Instructions/)).toHaveProperty('value', 'Be brief.')
})

it('adds a context repository, says what is wrong with it, and removes it', async () => {
  const { user, service } = openPage('/default/docs/settings', {
    listContextRepositories,
    listBots,
    addContextRepository: ({ body }) => {
      if (body.source.location === 'default/nowhere') return refuse(404, 'not_found', 'There is no such repository.')
      const added = {
        id: 'context_1',
        siteId: 'site_1',
        hasCredential: false,
        createdAt: someTime,
        ...body,
        commit: 'a',
      }
      service.answers.listContextRepositories = () => ({ items: [added], nextCursor: null })
      return added
    },
    removeContextRepository: () => {
      service.answers.listContextRepositories = listContextRepositories
      return null
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add repository' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'handbook')
  await user.selectOptions(dialog.getByLabelText('Kind'), 'Built-in repository')
  await user.type(dialog.getByLabelText('Location'), 'default/nowhere')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('There is no such repository.')
  await user.clear(dialog.getByLabelText('Location'))
  await user.type(dialog.getByLabelText('Location'), 'default/handbook')
  await user.click(dialog.getByRole('button', { name: 'Add' }))

  await screen.findByText('@handbook')
  await user.click(screen.getByRole('button', { name: 'Remove handbook' }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))

  await screen.findByText('No context repositories')
})

it('connects a bot with its channels, changes it without its secrets, and removes it', async () => {
  const bot = (settings: object): BotResource => ({
    id: 'bot_1',
    siteId: 'site_1',
    platform: 'slack',
    name: 'Acme',
    url: 'https://docs.example.com/webhooks/bots/slack/site_1',
    settings: botSettingsSchema.parse(settings),
    failure: null,
    lastEventAt: null,
    createdAt: someTime,
  })
  const keep = (settings: object) => {
    service.answers.listBots = () => ({ items: [bot(settings)] })
    return bot(settings)
  }
  const { user, service } = openPage('/default/docs/settings', {
    listContextRepositories,
    listBots,
    connectBot: ({ body }) =>
      body.token === 'xoxb-1' ? keep(body.settings ?? {}) : refuse(422, 'chat_refused', 'Slack refused it.'),
    updateBot: ({ body }) => keep({ ...bot({}).settings, ...body }),
    removeBot: () => {
      service.answers.listBots = listBots
      return null
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Connect Slack' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Bot token'), 'xoxb-')
  await user.type(dialog.getByLabelText('Signing secret'), 's3')
  await user.type(dialog.getByLabelText(/^Channels/), 'C1,auto')
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Slack refused it.')
  await user.type(dialog.getByLabelText('Bot token'), '1')
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  await screen.findByText('Slack: Acme')
  await user.click(screen.getByRole('button', { name: 'Change Slack' }))
  const change = within(await screen.findByRole('dialog'))
  await user.type(change.getByLabelText(/^Channels/), '{Enter}C2,group=staff')
  await user.click(change.getByRole('button', { name: 'Save' }))
  await screen.findByText('2 chosen')
  await user.click(screen.getByRole('button', { name: 'Remove Slack' }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await screen.findByText('No bots')

  expect(service.bodies('connectBot').at(-1)).toMatchObject({ token: 'xoxb-1', signingSecret: 's3' })
  expect(service.bodies('updateBot')).toMatchObject([
    {
      channels: [
        { id: 'C1', autoReply: true, groups: [] },
        { id: 'C2', autoReply: false, groups: ['staff'] },
      ],
    },
  ])
})

it('deletes a site once its slug is typed', async () => {
  const { user, service } = openPage('/default/docs/settings', {
    listContextRepositories,
    listBots,
    deleteSite: () => {
      service.answers.listSites = () => page([])
      return null
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Delete site …' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)

  await user.type(dialog.getByLabelText('Type docs to confirm'), 'docs')
  await user.click(dialog.getByRole('button', { name: 'Delete' }))

  await screen.findByText('No sites yet')
  expect(location.pathname).toBe('/dashboard/default')
})
