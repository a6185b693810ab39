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
  docent_ready: { kind: 'gauge', help: '1 while the process takes requests and its database answers', labels: [] },
  docent_http_requests_total: {
    kind: 'counter',
    help: 'Requests that have ended, by the pattern of their route',
    labels: ['method', 'route', 'status'],
  },
  docent_http_request_seconds: {
    kind: 'histogram',
    help: 'Time until a request has ended, the whole of its stream included',
    labels: ['method', 'route'],
    buckets: requestBuckets,
  },
  docent_http_errors_total: { kind: 'counter', help: 'Replies with an error, by its code', labels: ['code'] },
  docent_open_streams: { kind: 'gauge', help: 'Streams that are being written', labels: ['kind'] },
  docent_limits_hit_total: { kind: 'counter', help: 'Requests that a limit refused', labels: ['limit'] },
  docent_answers_total: {
    kind: 'counter',
    help: 'Answers that have ended, by how and by their verdict',
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
    help: 'Time of requests to the search index, waiting included',
    labels: ['kind'],
    buckets: requestBuckets,
  },
  docent_model_calls_total: {
    kind: 'counter',
    help: 'Calls of models by providers that came to their end',
    labels: ['model'],
  },
  docent_model_failures_total: {
    kind: 'counter',
    help: 'Calls of models that failed, each try counted',
    labels: ['model', 'reason'],
  },
  docent_model_retries_total: { kind: 'counter', help: 'Calls of models that were made again', labels: ['model'] },
  docent_model_fallbacks_total: {
    kind: 'counter',
    help: 'Calls that went to the next model, by the one that was left',
    labels: ['model'],
  },
  docent_model_tokens_total: {
    kind: 'counter',
    help: 'Tokens as the provider counted them',
    labels: ['model', 'direction'],
  },
  docent_model_cost_usd_total: {
    kind: 'counter',
    help: 'US dollars by the price list, for models whose price is known',
    labels: ['model'],
  },
  docent_spending_ratio: {
    kind: 'gauge',
    help: 'Share of the ceiling of this UTC day that is used: of the site that is nearest to its own, and of the project of the agent',
    labels: ['scope'],
  },
  docent_queue_waiting: { kind: 'gauge', help: 'Work that waits', labels: ['queue'] },
  docent_queue_running: { kind: 'gauge', help: 'Work that is being done', labels: ['queue'] },
  docent_queue_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest work that waits; 0 when none does',
    labels: ['queue'],
  },
  docent_work_seconds: {
    kind: 'histogram',
    help: 'Time of one piece of work, by how it ended',
    labels: ['work', 'outcome'],
    buckets: workBuckets,
  },
  docent_leases_held: { kind: 'gauge', help: 'Pieces of work that this process holds', labels: ['work'] },
  docent_leases_lost_total: {
    kind: 'counter',
    help: 'Pieces of work that this process lost while it did them',
    labels: ['work'],
  },
  docent_leases_taken_over_total: {
    kind: 'counter',
    help: 'Pieces of work that this process took up after somebody had begun them',
    labels: ['work'],
  },
  docent_webhooks_total: {
    kind: 'counter',
    help: 'Webhooks that were worked off and tries of sending',
    labels: ['direction', 'outcome'],
  },
  docent_sites: { kind: 'gauge', help: 'Sites', labels: [] },
  docent_sites_failing: { kind: 'gauge', help: 'Sites whose newest sync failed', labels: [] },
  docent_sites_without_index: { kind: 'gauge', help: 'Sites that have no index to answer from', labels: [] },
  docent_site_pages: { kind: 'gauge', help: 'Pages of the 50 largest sites', labels: ['site'] },
  docent_site_generation: { kind: 'gauge', help: 'Number of the generation that they serve', labels: ['site'] },
  docent_site_generation_age_seconds: { kind: 'gauge', help: 'Age of that generation', labels: ['site'] },
  docent_database_statement_seconds: {
    kind: 'histogram',
    help: 'Time of statements, waiting for the database included',
    labels: ['operation'],
    buckets: statementBuckets,
  },
  docent_database_failures_total: { kind: 'counter', help: 'Statements that failed', labels: ['operation'] },
  docent_database_connections: {
    kind: 'gauge',
    help: 'Connections to PostgreSQL by state, and requests that wait for one',
    labels: ['pool', 'state'],
  },
  docent_disk_free_bytes: { kind: 'gauge', help: 'Room on the disk of the data folder', labels: [] },
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
