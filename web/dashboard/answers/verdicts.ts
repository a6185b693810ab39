import type { Tone } from '../../ui/badge.tsx'

/** Labels of verdicts, and of ways an answer broke off. Later versions may know more. */
const verdictNames: Readonly<Record<string, { tone: Tone; label: string }>> = {
  supported: { tone: 'success', label: 'Supported' },
  partial: { tone: 'warning', label: 'Partly supported' },
  'nearest-page': { tone: 'neutral', label: 'Nearest page only' },
  conflicting: { tone: 'warning', label: 'Pages disagree' },
  unsupported: { tone: 'danger', label: 'Unsupported' },
  unanswered: { tone: 'neutral', label: 'Unanswered' },
  failed: { tone: 'danger', label: 'Failed' },
  disconnected: { tone: 'neutral', label: 'Left by the reader' },
}

export function describeVerdict(verdict: string): { tone: Tone; label: string } {
  return verdictNames[verdict] ?? { tone: 'neutral', label: verdict }
}

export const verdictOptions = [
  { value: '', label: 'Any verdict' },
  ...Object.entries(verdictNames).map(([value, { label }]) => ({ value, label })),
]
