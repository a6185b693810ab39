import { listMetrics } from '../../src/telemetry/metric-catalogue.ts'
import { escapeMdx, writePage, writeTable } from './mdx-text.ts'

/** The table of all metrics, made from what the code may measure. */
export function writeMetricsPage(): string {
  const rows = listMetrics().map(({ name, definition }) => [
    `\`${name}\``,
    definition.kind,
    definition.labels.map((label) => `\`${label}\``).join(', ') || 'none',
    `${escapeMdx(definition.help)}.`,
  ])
  return writePage({
    title: 'Metrics reference',
    description: 'Every metric that Docent tells Prometheus, with its kind, its labels and what it measures.',
    source: 'src/telemetry/metric-catalogue.ts',
    blocks: [introduction, writeTable(['Metric', 'Kind', 'Labels', 'What it measures'], rows), conclusion],
  })
}

const introduction = `A metric is a number that Docent measures about itself and that Prometheus collects.
Metrics are off until you set \`DOCENT_METRICS_PORT\`, as [observability](/guides/observability) shows.
Names that end with \`_total\` count up from the start of the process; names that end with \`_seconds\` and are histograms have \`_bucket\`, \`_sum\` and \`_count\`.

## All metrics`

const conclusion = `Beside these there are the usual metrics of a Node process, whose names begin with \`process_\` and \`nodejs_\`: memory, processor time, the delay of the event loop and garbage collection.

## What do the labels hold?

| Label | Values |
| --- | --- |
| \`route\` | The pattern of a route, such as \`/discovery/v2/assistant/:domain/message\`; that of a check, such as \`/admin/v1/*\`, where the request was refused by it. |
| \`kind\` of streams | \`answer\`, \`resumed-answer\`, \`job\`, \`dashboard\`, \`playground\`. |
| \`outcome\` of answers | \`finished\`, \`failed\`, \`disconnected\`. |
| \`verdict\` | As [insights](/guides/insights) name it, and \`none\` for answers that did not finish. |
| \`model\` | \`provider/model\` as you have set it. |
| \`reason\` | Why a call failed: \`key\`, \`unknown-model\`, \`rate-limit\`, \`quota\`, \`overloaded\`, \`unreachable\`, \`timeout\`, \`too-long\`, \`tools\`, \`refused\`, \`broken\`. |
| \`limit\` | The name of the limit in the \`RateLimit\` header. |
| \`queue\` | \`syncs\`, \`jobs\`, \`webhooks\`, \`webhook-sends\`. |
| \`work\` | \`sync\`, \`job\`, \`webhook\`, \`webhook-send\`, \`comment-answer\`. |
| \`outcome\` of work | \`done\`, \`failed\`, \`withdrawn\` because it was cancelled, \`lost\` to another process, \`handed-back\` because this one stops. |
| \`site\` | The slug of one of the 50 sites with the most pages. |
| \`scope\` | \`site\`, \`project\`. |

No label holds a question, an answer, a page, a key, a person or an address.
A metric has at most 1,000 sets of labels; what comes beyond them counts under \`other\`.`
