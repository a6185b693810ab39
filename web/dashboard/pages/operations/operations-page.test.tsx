import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

it('says in words how the service does, and what to do about errors', async () => {
  const message = 'The embedded database answered in 1 ms.'
  openPage('/default/operations', {
    getHealth: () => ({
      state: 'ok',
      parts: [{ name: 'database', subject: null, state: 'ok', message, messages: [] }],
      checkedAt: someTime,
    }),
    listQueues: () => page([]),
    listLimitUsage: () =>
      page([
        {
          name: 'org',
          subject: { kind: 'organization', id: 'default', name: 'Default' },
          window: 'hour',
          unit: 'requests',
          used: 1,
          max: 10,
          resetsAt: someTime,
        },
      ]),
    listErrorCounts: () => page([{ code: 'key_invalid', hour: someTime, count: 2 }]),
    getBuildInfo: () => ({
      version: '0.1.0',
      node: '24',
      platform: 'linux',
      database: 'sqlite',
      startedAt: someTime,
      memoryBytes: 1,
    }),
  })

  await within(await screen.findByRole('table', { name: 'Health' })).findByText(message)
  await screen.findByRole('meter', { name: 'Answers of Default' })
  const errors = await screen.findByRole('table', { name: 'Errors by code' })
  expect(errors.textContent).toContain('Check that the key was copied whole')
  expect(within(errors).getByRole('link').getAttribute('href')).toBe('/sites/docs/reference/errors#key_invalid')
})
