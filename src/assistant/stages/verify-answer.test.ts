import { expect, it } from 'vitest'
import type { AnswerVerdict } from '../../contract/verdicts.ts'
import { listFacts } from '../citations/exact-facts.ts'
import { verifyAnswer } from './verify-answer.ts'

const cited = [
  'Install\nRun `kiosk init --force` with Node 22.18.\n\n```bash\nnpm i kiosk\n```\nLimit: 10,000 a month, error E-42.',
]

const verify = (text: string, claim: AnswerVerdict | null = null, citedTexts: readonly string[] = cited) =>
  verifyAnswer({ text, citedTexts, claim })

it('supports what the cited pages contain verbatim', () => {
  const text =
    'Use **Node 22.18**, then `kiosk init --force`:\n\n```sh\nnpm i kiosk\n```\n\n1. E-42 means 10,000. [Install](/i#9)'

  expect(verify(text)).toEqual({ verdict: 'supported', reasons: [] })
})

it('names what they do not contain', () => {
  expect(verify('Run `kiosk init --quick` with Node 22.18. [Install](/i)')).toEqual({
    verdict: 'partial',
    reasons: ['The cited pages do not contain “kiosk init --quick”.'],
  })
  expect(verify('Set max_pages to 99. [Install](/i)').verdict).toBe('unsupported')
})

it('distinguishes an answer without sources from no answer', () => {
  expect(verify('Set it to 99.', null, []).verdict).toBe('unsupported')
  expect(verify('The documentation does not say.', null, []).verdict).toBe('unanswered')
  expect(verify('Nearest page: [Install](/i)', 'unanswered').verdict).toBe('unanswered')
  expect(verify('Closest page: [Install](/i)', 'nearest-page').verdict).toBe('nearest-page')
})

it('keeps the doubt of a model whether its quotes answer the question', () => {
  expect(verify('Use Node 22.18. [Install](/i)', 'partial')).toEqual({
    verdict: 'partial',
    reasons: ['The quoted passages are about the subject, but may not contain what was asked.'],
  })
})

it('treats flags, identifiers, versions, codes and numbers as facts, but not list markers or links', () => {
  expect(listFacts('1. Pass --dry-run to myTool or my_tool v1.2.3-rc.1 (E-42, 50%). [Page 7](/a/8 "9")')).toEqual([
    'v1.2.3-rc.1',
    '50',
    '7',
    '--dry-run',
    'myTool',
    'my_tool',
    'E-42',
  ])
})
