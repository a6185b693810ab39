import { useId } from 'react'
import { BarChartPlot } from './bar-chart-plot.tsx'
import classes from './bar-chart.module.css'
import { type Column, DataTable } from './data-table.tsx'
import { joinClasses } from './join-classes.ts'

export interface BarSeries<Row> {
  name: string
  tone: 'accent' | 'warning' | 'danger'
  /** A number of zero or more. */
  valueOf(row: Row): number
}

export interface BarChartProps<Row> {
  /** What is counted, such as “Questions by day”. */
  title: string
  /** One per bar, in order, at least one. */
  rows: readonly Row[]
  /** Heading of the label column in the table, such as “Day”. */
  rowTitle: string
  /** Label of a bar. Must be unique. */
  labelOf(row: Row): string
  /** Stacked, the first at the bottom. */
  series: readonly [BarSeries<Row>, ...BarSeries<Row>[]]
}

/** Stacked bars over time, with the same numbers as a table for screen readers and exact values. */
export function BarChart<Row>({ title, rows, rowTitle, labelOf, series }: BarChartProps<Row>) {
  const titleId = useId()
  const columns: [Column<Row>, ...Column<Row>[]] = [
    { title: rowTitle, render: labelOf },
    ...series.map(({ name, valueOf }): Column<Row> => ({
      title: name,
      align: 'end',
      render: (row) => valueOf(row).toLocaleString(),
    })),
  ]
  return (
    <figure className={classes.chart} aria-labelledby={titleId}>
      <figcaption className={classes.head}>
        <span id={titleId} className={classes.title}>
          {title}
        </span>
        <ul className={classes.legend}>
          {series.map(({ name, tone }) => (
            <li key={name}>
              <span className={joinClasses(classes.swatch, classes[tone])} aria-hidden /> {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <BarChartPlot {...{ title, rows, labelOf, series }} />
      <details className={classes.table}>
        <summary>Show as a table</summary>
        <DataTable caption={title} columns={columns} rows={rows} keyOf={labelOf} />
      </details>
    </figure>
  )
}
