import { ArrowDown, ArrowUp } from 'lucide-react'
import { joinClasses } from './join-classes.ts'
import classes from './change.module.css'
import { say, sayCount } from '../words/say.ts'

export interface ChangeProps {
  /** Null if there is nothing to compare with. */
  current: number | null
  previous: number | null
  /** `share`: both are shares of 1, and points are compared. `ratio`: the change is in percent of the previous one. */
  by: 'ratio' | 'share'
  /** Which direction is good; neither for numbers that are neither good nor bad. */
  better?: 'more' | 'less'
}

/** Smaller changes are noise. */
const leastShare = 0.01

/** How a number changed against the period before. Its colour says good or bad, its arrow and words everything. */
export function Change({ current, previous, by, better }: ChangeProps) {
  const change = compare(current, previous, by)
  if (change === null) return null
  if (Math.abs(change) < leastShare) return <span className={classes.change}>{say('even')}</span>
  const Arrow = change > 0 ? ArrowUp : ArrowDown
  const isGood = better === undefined ? null : change > 0 === (better === 'more')
  const look = isGood === null ? undefined : isGood ? classes.good : classes.bad
  const amount = Math.round(Math.abs(change) * 100)
  return (
    <span className={joinClasses(classes.change, look)}>
      <Arrow size={12} aria-label={change > 0 ? say('up') : say('down')} />
      {by === 'ratio' ? say('{amount}%', { amount }) : sayCount(amount, '{count} pt', '{count} pts')}
    </span>
  )
}

/** Whether a number got worse by more than noise. */
export function isWorse({ current, previous, by, better }: ChangeProps): boolean {
  const change = compare(current, previous, by)
  if (change === null || better === undefined) return false
  return better === 'more' ? change <= -leastShare : change >= leastShare
}

function compare(current: number | null, previous: number | null, by: ChangeProps['by']): number | null {
  if (current === null || previous === null) return null
  if (by === 'share') return current - previous
  return previous === 0 ? null : (current - previous) / previous
}
