import classes from './sparkline.module.css'

const width = 100
const height = 28
const margin = 2

export interface SparklineProps {
  /** In equal steps of time, oldest first; null where nothing was measured. */
  values: readonly (number | null)[]
  /** Whether the number got worse, which is the only news that has a colour. */
  isWorse?: boolean
}

/** A small trend line. Decoration: its figures are beside it as text. */
export function Sparkline({ values, isWorse = false }: SparklineProps) {
  const points = placePoints(values)
  const last = points.at(-1)
  if (points.length < 2 || last === undefined) return <div className={classes.empty} aria-hidden />
  const line = points.map(([x, y]) => `${x},${y}`).join(' ')
  return (
    <svg
      className={isWorse ? classes.worse : classes.line}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <polygon className={classes.area} points={`${points[0]?.[0]},${height} ${line} ${last[0]},${height}`} />
      <polyline className={classes.stroke} points={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

function placePoints(values: readonly (number | null)[]): [x: number, y: number][] {
  const known = values.filter((value) => value !== null)
  const max = Math.max(...known)
  const min = Math.min(...known, 0)
  const step = width / Math.max(1, values.length - 1)
  const scale = max === min ? 0 : (height - 2 * margin) / (max - min)
  return values.flatMap((value, at): [number, number][] =>
    value === null ? [] : [[round(at * step), round(height - margin - (value - min) * scale)]],
  )
}

const round = (value: number) => Math.round(value * 10) / 10
