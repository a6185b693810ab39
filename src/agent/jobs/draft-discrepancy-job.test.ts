import { describe, expect, it } from 'vitest'
import type { DiscrepancyDetails } from '../../contract/discrepancies.ts'
import { readInstruction } from '../../models/offline-agent/read-instruction.ts'
import { draftDiscrepancyJob } from './draft-discrepancy-job.ts'

const file = 'docs/guides/retry.mdx'

function details(texts: string[], replacement: DiscrepancyDetails['replacement']): DiscrepancyDetails {
  const places = texts.map((text, index) => ({ file, line: index + 3, text }))
  const removed = { label: 'Removed', value: 'retry_count', repository: 'app', commit: 'a'.repeat(40) }
  const facts = [{ ...removed, file: 'src/retry.ts', line: 7 }]
  return { title: '`retry_count` was removed.', places, facts, advice: 'Name its successor.', replacement }
}

describe('draftDiscrepancyJob', () => {
  it.each(['Set retry_count to 3.', 'Set `retry_count` to "3".', 'Set `retry_count` to 3, “often”.'])(
    'words a certain replacement so that no model is needed: %s',
    (text) => {
      const prompt = draftDiscrepancyJob({
        page: file,
        details: details([text], { from: 'retry_count', to: 'retries' }),
      })

      expect(prompt).toContain(text.replace('retry_count', 'retries'))
      expect(readInstruction(prompt)).toHaveLength(1)
    },
  )

  it('replaces no part of a longer name', () => {
    const both = 'Use retry_count, not retry_count_max or --retry_count.'
    const prompt = draftDiscrepancyJob({ page: file, details: details([both], { from: 'retry_count', to: 'retries' }) })

    expect(prompt).toContain('by "Use retries, not retry_count_max or --retry_count." in')
  })

  it('gives lines and evidence where no replacement is certain', () => {
    const prompt = draftDiscrepancyJob({ page: file, details: details(['Set retry_count.'], null) })

    expect(prompt).toContain(`- ${file}, line 3: Set retry_count.`)
    expect(prompt).toContain('- Removed: retry_count (app, src/retry.ts, line 7, commit aaaaaaaaaaaa)')
  })
})
