import type { GapResource } from '../../../../src/contract/insights.ts'
import type { Tone } from '../../../ui/badge.tsx'

export const gapStates: Readonly<Record<GapResource['state'], { label: string; tone: Tone }>> = {
  open: { label: 'Open', tone: 'warning' },
  drafted: { label: 'Job started', tone: 'accent' },
  mended: { label: 'Fixed', tone: 'success' },
}
