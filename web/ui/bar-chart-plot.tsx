import type { BarChartProps, BarSeries } from './bar-chart.tsx'
import classes from './bar-chart.module.css'
import { niceMax } from './nice-max.ts'

/** Fraction of each bar's slot. */
const barWidth = 0.72

/** The bars. The viewBox counts bars and percent, and stretches to the available space. */
export function BarChartPlot<Row>({ title, rows, labelOf, series }: Omit<BarChartProps<Row>, 'rowTitle'>) {
  const totals = rows.map((row) => series.reduce((sum, { valueOf }) => sum + valueOf(row), 0))
  const max = niceMax(Math.max(...totals, 1))
  const sum = totals.reduce((sum, total) => sum + total, 0)
  const [first, last] = [rows[0], rows.at(-1)]
  return (
    <div className={classes.plot}>
      <div className={classes.scale} aria-hidden>
        <span>{max.toLocaleString()}</span>
        <span>{(max / 2).toLocaleString()}</span>
        <span>0</span>
      </div>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${Math.max(rows.length, 1)} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: total ${sum.toLocaleString()}, maximum ${Math.max(...totals, 0).toLocaleString()}.`}
      >
        {[0.5, 50, 99.5].map((y) => (
          <line key={y} className={classes.line} x1="0" x2={rows.length} y1={y} y2={y} />
        ))}
        {rows.map((row, index) => (
          <g key={labelOf(row)}>
            <title>{describeBar(row, labelOf, series)}</title>
            {/* Also the room above a bar tells what it is. */}
            <rect className={classes.room} x={index} y="0" width="1" height="100" />
            <Pile row={row} index={index} max={max} series={series} />
          </g>
        ))}
      </svg>
      <div className={classes.ends} aria-hidden>
        <span>{first === undefined ? '' : labelOf(first)}</span>
        <span>{last === undefined || rows.length < 2 ? '' : labelOf(last)}</span>
      </div>
    </div>
  )
}

interface PileProps<Row> {
  row: Row
  index: number
  max: number
  series: readonly BarSeries<Row>[]
}

function Pile<Row>({ row, index, max, series }: PileProps<Row>) {
  let top = 100
  return series.map(({ name, tone, valueOf }) => {
    const height = (valueOf(row) / max) * 100
    top -= height
    return (
      <rect
        key={name}
        className={classes[tone]}
        x={index + (1 - barWidth) / 2}
        y={top}
        width={barWidth}
        height={height}
      />
    )
  })
}

function describeBar<Row>(row: Row, labelOf: (row: Row) => string, series: readonly BarSeries<Row>[]): string {
  const values = series.map(({ name, valueOf }) => `${name} ${valueOf(row).toLocaleString()}`)
  return `${labelOf(row)}: ${values.join(', ')}`
}
