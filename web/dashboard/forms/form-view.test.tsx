import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refuse } from '../testing/fake-service.ts'
import { openPage } from '../testing/open-page.tsx'
import { page } from '../testing/samples.ts'

it('opens what is folded away around a field that the service refuses, and focuses it', async () => {
  const { user } = openPage('/default/keys', {
    listKeys: () => page([]),
    listKeyUsage: () => page([]),
    createKey: () => refuse(400, 'invalid_request', 'No.', [{ path: 'networkPerDay', message: 'Enter a number.' }]),
  })
  await user.click(await screen.findByRole('button', { name: 'Create key' }))
  const dialog = within(await screen.findByRole('dialog'))
  const folded = [dialog.getByText('More'), dialog.getByText('Limits per network')].map((text) =>
    text.closest('details'),
  )
  expect(folded.map((details) => details?.open)).toEqual([false, false])

  await user.type(dialog.getByLabelText('Name'), 'Shop')
  await user.click(dialog.getByRole('button', { name: 'Create key' }))
  await dialog.findByRole('alert')

  expect(folded.map((details) => details?.open)).toEqual([true, true])
  expect(document.activeElement).toBe(dialog.getByLabelText('Maximum requests per day'))
})
