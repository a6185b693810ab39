import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type GaugeName, type LabelsOf, listMetrics, type MetricName } from './metric-catalogue.ts'
import type { Metrics } from './metrics.ts'

/** A gauge that is read on collection, one value per set of labels. */
export type GaugeReading = {
  [Name in GaugeName]: { name: Name; labels: LabelsOf<Name>; value: number }
}[GaugeName]

/** Reads values that must be looked up. A rejection is reported, and the other metrics are collected anyway. */
export type ReadGauges = () => Promise<readonly GaugeReading[]>

export interface PrometheusMetricsOptions {
  /** Called for failing readers. */
  onFailure(error: unknown): void
}

/** Most label sets per metric. Beyond that all values become `other`, so that labels cannot exhaust memory. */
const labelSetsMax = 1_000

type Labels = Readonly<Record<string, string>>

/** The metrics of one process, in the Prometheus text format. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry()
  readonly #counters = new Map<MetricName, Counter>()
  readonly #gauges = new Map<MetricName, Gauge>()
  readonly #histograms = new Map<MetricName, Histogram>()
  readonly #labelSets = new Map<MetricName, Set<string>>()
  readonly #readers: ReadGauges[] = []
  readonly #options: PrometheusMetricsOptions

  constructor(options: PrometheusMetricsOptions) {
    this.#options = options
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    for (const { name, definition } of listMetrics()) {
      const { help, buckets = [] } = definition
      const labelNames = [...definition.labels]
      if (definition.kind === 'counter') this.#counters.set(name, new Counter({ name, help, labelNames, registers }))
      else if (definition.kind === 'gauge') this.#gauges.set(name, new Gauge({ name, help, labelNames, registers }))
      else this.#histograms.set(name, new Histogram({ name, help, labelNames, registers, buckets: [...buckets] }))
    }
  }

  add(name: MetricName, labels: Labels, amount = 1): void {
    if (amount >= 0) this.#counters.get(name)?.inc(this.#bound(name, labels), amount)
  }

  observe(name: MetricName, labels: Labels, value: number): void {
    this.#histograms.get(name)?.observe(this.#bound(name, labels), value)
  }

  change(name: MetricName, labels: Labels, amount: number): void {
    this.#gauges.get(name)?.inc(this.#bound(name, labels), amount)
  }

  /** Registers gauges that are read on every collection, replacing earlier ones. */
  onCollect(read: ReadGauges): void {
    this.#readers.push(read)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** Returns all metrics in the Prometheus format. Never rejects. */
  async collect(): Promise<string> {
    await Promise.all(this.#readers.map((read) => this.#read(read)))
    return this.#registry.metrics()
  }

  async #read(read: ReadGauges): Promise<void> {
    try {
      const readings = await read()
      // Drop the series of deleted sites; otherwise they are exported forever.
      for (const name of new Set(readings.map((reading) => reading.name))) this.#gauges.get(name)?.reset()
      for (const { name, labels, value } of readings) this.#gauges.get(name)?.set(labels, value)
    } catch (error) {
      this.#options.onFailure(error)
    }
  }

  #bound(name: MetricName, labels: Labels): Labels {
    const known = this.#labelSets.get(name) ?? new Set<string>()
    this.#labelSets.set(name, known)
    const key = Object.values(labels).join('\n')
    if (known.has(key)) return labels
    if (known.size >= labelSetsMax) return Object.fromEntries(Object.keys(labels).map((label) => [label, 'other']))
    known.add(key)
    return labels
  }
}
