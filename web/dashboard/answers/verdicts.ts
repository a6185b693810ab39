import type { Tone } from '../../ui/badge.tsx'
import { say } from '../../words/say.ts'

/** Labels of verdicts, and of ways an answer broke off. Later versions may know more. */
const verdictNames: Readonly<Record<string, { tone: Tone; label: string }>> = {
  supported: { tone: 'success', label: say('Supported') },
  partial: { tone: 'warning', label: say('Partly supported') },
  'nearest-page': { tone: 'neutral', label: say('Nearest page only') },
  conflicting: { tone: 'warning', label: say('Pages disagree') },
  unsupported: { tone: 'danger', label: say('Unsupported') },
  unanswered: { tone: 'neutral', label: say('Unanswered') },
  failed: { tone: 'danger', label: say('Failed') },
  disconnected: { tone: 'neutral', label: say('Left by the reader') },
}

export function describeVerdict(verdict: string): { tone: Tone; label: string } {
  return verdictNames[verdict] ?? { tone: 'neutral', label: verdict }
}

export const verdictOptions = [
  { value: '', label: say('Any') },
  ...Object.entries(verdictNames).map(([value, { label }]) => ({ value, label })),
]
