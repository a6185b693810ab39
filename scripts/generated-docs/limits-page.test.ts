import { expect, it } from 'vitest'
import { writeLimitsPage } from './limits-page.ts'

it('puts the numbers of the code into the text, with their units', () => {
  const page = writeLimitsPage('{{pages}} pages, {{messageBody}}, {{syncTime}}, {{DOCENT_LIMIT_JOBS_PER_HOUR}} jobs')

  expect(page).toContain('50,000 pages, 4 MiB, 15 minutes, 100 jobs')
})

it('refuses a value that the code does not have', () => {
  expect(() => writeLimitsPage('{{nothing}}')).toThrow(
    'limits.md names {{nothing}}, which limits-page.ts does not have.',
  )
})
