import { demoFolder } from '../app/demo-folder.ts'
import type { FirstStart } from '../app/first-start.ts'
import { type RunningServer, runServer } from '../app/run-server.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { createLog } from '../telemetry/log.ts'
import type { Output } from './output.ts'

/** `docent start`: the server and the worker in one process, until SIGTERM or SIGINT. */
export async function start(output: Output): Promise<void> {
  const settings = readEnvironment()
  const log = createLog(settings.logLevel)
  const server = await runServer({ settings, log, demoFolder })
  const { firstStart } = server.service
  output.result(
    { url: server.url, baseUrl: server.baseUrl, ...(firstStart === null ? {} : { firstStart }) },
    () =>
      `${firstStart === null ? '' : describeFirstStart(firstStart, server.baseUrl)}Docent is listening on ${server.url}`,
  )
  await waitForStop(server)
}

/** A second signal does not wait. */
function waitForStop(server: RunningServer): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
      void server.stop().finally(resolve)
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

function describeFirstStart({ adminKey, assistantKey, siteSlug }: FirstStart, baseUrl: string): string {
  return `
This is the first start. These keys are shown once, so keep them now:

  admin key      ${adminKey}   (servers only)
  assistant key  ${assistantKey}   (site "${siteSlug}", public)

Ask the first question:

  curl -N ${baseUrl}/discovery/v2/assistant/${siteSlug}/message \\
    -H 'Authorization: Bearer ${assistantKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"fp":"anonymous","messages":[{"role":"user","parts":[{"type":"text","text":"How do I add a site?"}]}]}'

Search:

  curl ${baseUrl}/discovery/v1/search/${siteSlug} \\
    -H 'Authorization: Bearer ${assistantKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query":"rate limits"}'

List the keys:

  curl ${baseUrl}/admin/v1/keys -H 'Authorization: Bearer ${adminKey}'

The documentation is at ${baseUrl}/sites/${siteSlug}

`
}
