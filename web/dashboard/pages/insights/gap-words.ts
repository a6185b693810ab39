import type { GapResource } from '../../../../src/contract/insights.ts'
import type { Tone } from '../../../ui/badge.tsx'

export const gapStates: Readonly<Record<GapResource['state'], { label: string; tone: Tone }>> = {
  open: { label: 'Open', tone: 'warning' },
  drafted: { label: 'Job started', tone: 'accent' },
  mended: { label: 'Fixed', tone: 'success' },
}

/** Title of a gap, in the readers' words. */
export function describeGap({ terms, questions }: Pick<GapResource, 'terms' | 'questions'>): string {
  return terms.length > 0 ? terms.join(', ') : (questions[0]?.question ?? 'A question')
}
