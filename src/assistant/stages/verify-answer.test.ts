import { expect, it } from 'vitest'
import { verifyAnswer, listFacts } from './verify-answer.ts'

const cited = [
  'Install\nRun `kiosk init --force` with Node 22.18.\n\n```bash\nnpm i kiosk\n```\nLimit: 10,000 a month, error E-42.',
]

const verify = (text: string, isAnswered: boolean | null = null, citedTexts: readonly string[] = cited) =>
  verifyAnswer({ text, citedTexts, isAnswered })

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
  expect(verify('Nearest page: [Install](/i)', false).verdict).toBe('unanswered')
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
