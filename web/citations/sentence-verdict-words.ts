import type { SentenceVerdict } from '../../src/contract/citations.ts'

/** What a verdict on a sentence is called, and what it says of the sentence. Worst first. */
export const sentenceVerdictWords = {
  missing: {
    tone: 'danger',
    label: 'Unsupported',
    sentence: 'The passage contains none of the exact statements of this sentence.',
  },
  partial: {
    tone: 'warning',
    label: 'Partly supported',
    sentence: 'The passage contains only some of the exact statements of this sentence.',
  },
  pending: { tone: 'neutral', label: 'Not checked yet', sentence: 'It is checked when the answer is complete.' },
  held: {
    tone: 'success',
    label: 'Supported',
    sentence: 'The passage contains every exact statement of this sentence.',
  },
  'no-facts': {
    tone: 'neutral',
    label: 'Nothing to check',
    sentence: 'This sentence contains no numbers, names or code.',
  },
} as const satisfies Record<SentenceVerdict, { tone: string; label: string; sentence: string }>
