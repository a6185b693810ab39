import { Progress } from '@base-ui/react/progress'
import type { ReactNode } from 'react'
import classes from './progress-bar.module.css'

/** Progress of a task. `value` is null while unknown. */
export function ProgressBar({ label, value, max }: { label: ReactNode; value: number | null; max: number }) {
  return (
    <Progress.Root className={classes.progress} value={value} max={Math.max(max, 1)}>
      <Progress.Label className={classes.label}>{label}</Progress.Label>
      <Progress.Track className={classes.track}>
        <Progress.Indicator className={classes.indicator} />
      </Progress.Track>
    </Progress.Root>
  )
}
