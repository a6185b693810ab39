import type { SentenceVerdict } from '../../src/contract/citations.ts'
import { say } from '../words/say.ts'

/** Label and explanation of each verdict on a sentence, worst first. */
export const sentenceVerdictWords = {
  missing: {
    tone: 'danger',
    label: say('Unsupported'),
    sentence: say('The passage contains none of the exact statements of this sentence.'),
  },
  partial: {
    tone: 'warning',
    label: say('Partly supported'),
    sentence: say('The passage contains only some of the exact statements of this sentence.'),
  },
  pending: {
    tone: 'neutral',
    label: say('Not checked yet'),
    sentence: say('It is checked when the answer is complete.'),
  },
  held: {
    tone: 'success',
    label: say('Supported'),
    sentence: say('The passage contains every exact statement of this sentence.'),
  },
  'no-facts': {
    tone: 'neutral',
    label: say('Nothing to check'),
    sentence: say('This sentence contains no numbers, names or code.'),
  },
} as const satisfies Record<SentenceVerdict, { tone: string; label: string; sentence: string }>
