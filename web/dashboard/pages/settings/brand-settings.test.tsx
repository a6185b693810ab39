import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'

/** 16 black pixels by 16. */
const logo = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR4nGNgIA0AAAAwAAEWiZrRAAAAAElFTkSuQmCC'

it('sends the logo as base64, and shows it once it is stored', async () => {
  const { user, service, container } = openPage('/default/settings?view=brand', {
    listSettings: () => ({ items: [], nextCursor: null }),
    updateBrand: () => ({ color: null, logo: '/brand/default/logo?v=1' }),
  })
  await screen.findByRole('button', { name: 'Choose an image' })
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('There is no field for a file.')

  await user.upload(input, new File([Buffer.from(logo, 'base64')], 'logo.png', { type: 'image/png' }))
  await screen.findByRole('img', { name: 'The logo' })
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/^Saved/)

  const [body] = service.bodies('updateBrand') as [{ logo: Uint8Array }]
  expect(Buffer.from(body.logo).toString('base64')).toBe(logo)
  expect(screen.getByRole('img', { name: 'The logo' }).getAttribute('src')).toBe('/brand/default/logo?v=1')
})
