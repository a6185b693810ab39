import type { GapResource } from '../../../../src/contract/insights.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { say } from '../../../words/say.ts'

export const gapStates: Readonly<Record<GapResource['state'], { label: string; tone: Tone }>> = {
  open: { label: say('Open'), tone: 'warning' },
  drafted: { label: say('Job started'), tone: 'accent' },
  fixed: { label: say('Fixed'), tone: 'success' },
}
