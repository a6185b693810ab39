import { expect, it } from 'vitest'
import { emptyJobForm, makeIdempotencyKey, readJobForm } from './job-form.ts'

it('sends what was filled in, and nothing for what was not', () => {
  const form = emptyJobForm('site_1')

  expect(readJobForm({ ...form, prompt: 'Do' })).toEqual({ prompt: 'Do', site: 'site_1' })
  expect(readJobForm({ ...form, prompt: 'Do', baseBranch: ' next ', branch: 'b', model: 'm', isDraft: true })).toEqual({
    prompt: 'Do',
    site: 'site_1',
    baseBranch: 'next',
    branch: 'b',
    model: 'm',
    draft: true,
  })
})

it('names each wish differently, in characters that a header takes', () => {
  const [first, second] = [makeIdempotencyKey(), makeIdempotencyKey()]

  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(second).not.toBe(first)
})
