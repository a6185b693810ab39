import { dayMs, hourMs, minuteMs } from './durations.ts'
import { language } from '../words/language.ts'
import { say } from '../words/say.ts'

const steps = [
  { unit: 'year', ms: 365 * dayMs },
  { unit: 'month', ms: 30 * dayMs },
  { unit: 'day', ms: dayMs },
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
] as const

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** “3 hours ago”, “in 7 days”. */
export function describeTime(time: number, now: number): string {
  const distance = time - now
  const step = steps.find(({ ms }) => Math.abs(distance) >= ms)
  return step === undefined ? say('just now') : relative.format(Math.round(distance / step.ms), step.unit)
}
