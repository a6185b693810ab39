import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { listSettings } from '../../src/config/settings.ts'
import { listMetrics } from '../../src/telemetry/metric-catalogue.ts'
import { PrometheusMetrics } from '../../src/telemetry/prometheus-metrics.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            for: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string(), description: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('deploy/prometheus/alerts.yaml')))
  .groups.flatMap(({ rules }) => rules)

const panels = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
  })
  .parse(JSON.parse(read('deploy/grafana/docent.json')))
  .panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

const told = await new PrometheusMetrics({ onFailure: () => undefined }).collect()

/** The metrics of an expression, without what histograms append to their names. */
function findMetrics(expr: string): string[] {
  const names = expr.match(/\b(?:docent|nodejs|process)_\w+/g) ?? []
  return names.map((name) => (isTold(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')))
}

const isTold = (name: string) => told.includes(`# TYPE ${name} `)

const labelsOf = (metric: string): readonly string[] =>
  listMetrics().find(({ name }) => name === metric)?.definition.labels ?? []

/** Labels that an expression groups or chooses by. */
function findLabels(expr: string): string[] {
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(','))
  const matchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/\w+(?=\s*[=!])/g) ?? [])
  return [...groups.map((label) => label.trim()), ...matchers]
}

const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: `the alert ${alert}`, expr })),
  ...panels.map(({ title, expr }) => ({ where: `the panel ${title}`, expr })),
]

describe('the dashboard and the alerts', () => {
  it.each(expressions)('name metrics and labels in $where that exist: $expr', ({ expr }) => {
    const metrics = findMetrics(expr)
    const labels = new Set(['instance', 'le', ...metrics.flatMap((metric) => labelsOf(metric))])

    expect(metrics).not.toEqual([])
    expect(metrics.filter((metric) => !isTold(metric))).toEqual([])
    expect(findLabels(expr).filter((label) => !labels.has(label))).toEqual([])
  })

  it.each(alerts)('say in $alert what to do, by settings and metrics that exist', ({ annotations }) => {
    const { summary, description } = annotations
    const settings = new Set(['DATABASE_URL', ...listSettings().map(({ meta }) => meta.env)])
    const named = description.match(/\b(?:DOCENT|OTEL)_[A-Z_]+\b/g) ?? []

    expect(summary).toMatch(/\.$/)
    expect(description).toMatch(/^[A-Z"]|^docent_/)
    expect(description).toMatch(/\.$/)
    expect(named.filter((name) => !settings.has(name))).toEqual([])
    expect(findMetrics(description).filter((metric) => !isTold(metric))).toEqual([])
  })
})

describe('the catalogue of metrics', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('metric-catalogue.ts'))
    .map((file) => read(join('src', file)))
    .join('\n')

  it.each(listMetrics())('promises nothing that is not measured: $name', ({ name }) => {
    expect(sources).toContain(`'${name}'`)
  })
})
