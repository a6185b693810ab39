import type { ReactNode } from 'react'
import classes from './stat-tiles.module.css'

export interface Stat {
  name: string
  value: string
  /** What the number refers to, or its share. */
  note?: ReactNode
}

/** Key figures. */
export function StatTiles({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className={classes.tiles}>
      {stats.map(({ name, value, note }) => (
        <div key={name} className={classes.tile}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.value}>{value}</dd>
          {note === undefined ? null : <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
