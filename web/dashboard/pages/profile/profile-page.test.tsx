import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { makeSession } from '../../testing/samples.ts'

it('changes the password, and goes on with the form token of the new session', async () => {
  const { user, service } = openPage('/default/account', {
    role: 'viewer',
    changePassword: () => ({ ...makeSession('viewer'), formToken: 'another-token' }),
    signOut: () => {
      service.answers.getSession = () => makeSession(null)
      return makeSession(null)
    },
  })

  await user.type(await screen.findByLabelText('Current password'), 'three old words')
  await user.type(screen.getByLabelText('New password'), 'four hollow drums echo')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await screen.findByText(/^Password changed/)
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))

  await screen.findByRole('heading', { name: 'Sign in to Docent' })
  const last = service.sent.findLast(({ id }) => id === 'signOut')
  expect(last?.headers.get('x-docent-form-token')).toBe('another-token')
  expect(service.bodies('signOut')).toEqual([{ everywhere: true }])
})
