import { describeTime } from './describe-time.ts'
import { language } from '../words/language.ts'

const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

/** A relative time, with the exact one as a tooltip. */
export function TimeText({ time }: { time: string }) {
  const at = Date.parse(time)
  return (
    <time dateTime={time} title={exact.format(at)}>
      {describeTime(at, Date.now())}
    </time>
  )
}
