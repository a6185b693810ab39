import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../testing/open-page.tsx'
import { page } from '../testing/samples.ts'
import { shortcuts } from './shortcuts.ts'

const answers = { listAutomations: () => page([]), listMembers: () => page([]), listInvitations: () => page([]) }

it('goes to places by g and a letter, lists the shortcuts for ?, and does nothing while one types in a field', async () => {
  const { user } = openPage('/default/automations', answers)
  await screen.findByRole('heading', { name: 'Automations' })

  await user.keyboard('gm')
  await screen.findByRole('heading', { name: 'Members' })
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  const field = await screen.findByRole('textbox')
  await user.type(field, 'ga?')
  await user.keyboard('{Escape}?')

  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(location.pathname).toBe('/dashboard/default/members')
  for (const { does } of Object.values(shortcuts)) expect(help.textContent).toContain(does)
})
