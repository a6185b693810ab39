import { Meter as Base } from '@base-ui/react/meter'
import classes from './meter.module.css'
import { joinClasses } from './join-classes.ts'
import { language } from '../words/language.ts'
import { say } from '../words/say.ts'

/** From this share on, the meter warns. */
const nearlyFull = 0.8

export interface MeterProps {
  label: string
  value: number
  max: number
  /** For shares of a whole, where full is not a problem. */
  isPlain?: boolean
  /** Formats a number, including its unit if any. */
  format?(value: number): string
}

/** How much of a limit is used. */
export function Meter({ label, value, max, isPlain = false, format = formatCount }: MeterProps) {
  const share = max > 0 ? value / max : 1
  const tone = !isPlain && (share >= 1 ? classes.full : share >= nearlyFull && classes.nearlyFull)
  return (
    <Base.Root
      className={classes.meter}
      value={Math.min(value, max)}
      max={max}
      aria-label={label}
      getAriaValueText={() => say('{value} of {max}', { value: format(value), max: format(max) })}
    >
      <span className={classes.value}>
        {format(value)} <span className={classes.max}>{say('of {max}', { max: format(max) })}</span>
      </span>
      <Base.Track className={classes.track}>
        <Base.Indicator className={joinClasses(classes.indicator, tone)} />
      </Base.Track>
    </Base.Root>
  )
}

function formatCount(value: number): string {
  return value.toLocaleString(language)
}
