/** Definition of a metric. */
interface MetricDefinition {
  kind: 'counter' | 'gauge' | 'histogram'
  /** A sentence without a full stop, as in Prometheus' own help texts. */
  help: string
  /** Label names. Their values come from small fixed sets or from the operator's configuration. */
  labels: readonly string[]
  /** Upper bounds of histogram buckets, in seconds. */
  buckets?: readonly number[]
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const answerBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120]
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
const workBuckets = [0.5, 1, 5, 15, 60, 300, 900, 3_600]

/**
 * Every metric, in the order of the reference page. Names are stable, because operators' dashboards and alerts rely on
 * them. Labels never contain user input, keys, people or addresses.
 */
export const metricCatalogue = {
  docent_build_info: {
    kind: 'gauge',
    help: 'Always 1; the labels tell what runs',
    labels: ['version', 'node', 'database'],
  },
  docent_ready: { kind: 'gauge', help: '1 while the process accepts requests and its database answers', labels: [] },
  docent_http_requests_total: {
    kind: 'counter',
    help: 'Completed requests, by route pattern',
    labels: ['method', 'route', 'status'],
  },
  docent_http_request_seconds: {
    kind: 'histogram',
    help: 'Time to complete a request, including the whole of a streamed response',
    labels: ['method', 'route'],
    buckets: requestBuckets,
  },
  docent_http_errors_total: { kind: 'counter', help: 'Error responses, by error code', labels: ['code'] },
  docent_open_streams: { kind: 'gauge', help: 'Streams in progress', labels: ['kind'] },
  docent_limits_hit_total: { kind: 'counter', help: 'Requests refused by a limit', labels: ['limit'] },
  docent_answers_total: {
    kind: 'counter',
    help: 'Completed answers, by outcome and verdict',
    labels: ['outcome', 'verdict'],
  },
  docent_answer_first_text_seconds: {
    kind: 'histogram',
    help: 'Time from the question to the first text of its answer',
    labels: ['model'],
    buckets: answerBuckets,
  },
  docent_answer_seconds: {
    kind: 'histogram',
    help: 'Time from the question to the end of its answer',
    labels: ['model'],
    buckets: answerBuckets,
  },
  docent_search_seconds: {
    kind: 'histogram',
    help: 'Time of requests to the search index, including waiting',
    labels: ['kind'],
    buckets: requestBuckets,
  },
  docent_model_calls_total: {
    kind: 'counter',
    help: 'Model calls that completed',
    labels: ['model'],
  },
  docent_model_failures_total: {
    kind: 'counter',
    help: 'Model calls that failed, counting each attempt',
    labels: ['model', 'reason'],
  },
  docent_model_retries_total: { kind: 'counter', help: 'Model calls that were retried', labels: ['model'] },
  docent_model_fallbacks_total: {
    kind: 'counter',
    help: 'Model calls that fell back to the next model, by the model that failed',
    labels: ['model'],
  },
  docent_model_tokens_total: {
    kind: 'counter',
    help: 'Tokens as the provider counted them',
    labels: ['model', 'direction'],
  },
  docent_model_cost_usd_total: {
    kind: 'counter',
    help: 'Cost in US dollars by the price list, for models with a known price',
    labels: ['model'],
  },
  docent_spending_ratio: {
    kind: 'gauge',
    help: "Share of today's ceiling (UTC) that is used: of the site closest to its own, and of the agent's project",
    labels: ['scope'],
  },
  docent_queue_waiting: { kind: 'gauge', help: 'Pieces of work that are waiting', labels: ['queue'] },
  docent_queue_running: { kind: 'gauge', help: 'Pieces of work in progress', labels: ['queue'] },
  docent_queue_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest waiting piece of work; 0 if none is waiting',
    labels: ['queue'],
  },
  docent_work_seconds: {
    kind: 'histogram',
    help: 'Duration of a piece of work, by outcome',
    labels: ['work', 'outcome'],
    buckets: workBuckets,
  },
  docent_leases_held: { kind: 'gauge', help: 'Pieces of work that this process holds a lease on', labels: ['work'] },
  docent_leases_lost_total: {
    kind: 'counter',
    help: 'Pieces of work whose lease this process lost while doing them',
    labels: ['work'],
  },
  docent_leases_taken_over_total: {
    kind: 'counter',
    help: 'Pieces of unfinished work that this process took over from another',
    labels: ['work'],
  },
  docent_webhooks_total: {
    kind: 'counter',
    help: 'Webhooks processed, and attempts to send one',
    labels: ['direction', 'outcome'],
  },
  docent_sites: { kind: 'gauge', help: 'Sites', labels: [] },
  docent_sites_failing: { kind: 'gauge', help: 'Sites whose latest sync failed', labels: [] },
  docent_sites_without_index: { kind: 'gauge', help: 'Sites without an index to answer from', labels: [] },
  docent_site_pages: { kind: 'gauge', help: 'Pages of the 50 largest sites', labels: ['site'] },
  docent_site_generation: { kind: 'gauge', help: 'Number of the generation that the site serves', labels: ['site'] },
  docent_site_generation_age_seconds: { kind: 'gauge', help: 'Age of that generation', labels: ['site'] },
  docent_database_statement_seconds: {
    kind: 'histogram',
    help: 'Time of statements, including waiting for the database',
    labels: ['operation'],
    buckets: statementBuckets,
  },
  docent_database_failures_total: { kind: 'counter', help: 'Statements that failed', labels: ['operation'] },
  docent_database_connections: {
    kind: 'gauge',
    help: 'Connections to PostgreSQL by state, and requests waiting for one',
    labels: ['pool', 'state'],
  },
  docent_disk_free_bytes: { kind: 'gauge', help: 'Free space on the disk of the data folder', labels: [] },
  docent_disk_size_bytes: { kind: 'gauge', help: 'Size of that disk', labels: [] },
} as const satisfies Readonly<Record<string, MetricDefinition>>

export type MetricName = keyof typeof metricCatalogue

type NameOfKind<Kind> = {
  [Name in MetricName]: (typeof metricCatalogue)[Name]['kind'] extends Kind ? Name : never
}[MetricName]

export type CounterName = NameOfKind<'counter'>
export type GaugeName = NameOfKind<'gauge'>
export type HistogramName = NameOfKind<'histogram'>

/** One value for each label of the metric. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof metricCatalogue)[Name]['labels'][number], string>
>

export function listMetrics(): { name: MetricName; definition: MetricDefinition }[] {
  // The keys of the catalogue are its names.
  return Object.entries(metricCatalogue).map(([name, definition]) => ({ name: name as MetricName, definition }))
}
