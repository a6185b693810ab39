import { dayMs } from '../../../ui/durations.ts'
import { type Home, type HomePeriod, homePeriods } from '../../../../src/contract/home.ts'
import { Segments } from '../../../ui/segments.tsx'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { useHomePeriod } from './home-search.ts'

const periodNames: Record<HomePeriod, string> = { 1: say('24 hours'), 7: say('7 days'), 30: say('30 days') }
const periods = homePeriods.map((value) => ({ value, label: periodNames[value] }))

/** Chooses the period of the figures. */
export function HomePeriodChoice() {
  const [days, setDays] = useHomePeriod()
  return <Segments label={say('Period')} value={days} options={periods} onValueChange={setDays} />
}

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })

export function describeComparison({ from, to }: Home): string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const period = end - start <= dayMs ? say('The last 24 hours') : dayFormat.formatRange(start, end)
  return say('{period}, compared with the previous period', { period })
}
