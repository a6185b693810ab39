import { describeTime } from './describe-time.ts'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A time as people speak of it; the exact one when the pointer rests on it. */
export function TimeText({ time }: { time: string }) {
  const at = Date.parse(time)
  return (
    <time dateTime={time} title={exact.format(at)}>
      {describeTime(at, Date.now())}
    </time>
  )
}
