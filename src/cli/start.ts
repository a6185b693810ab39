import { demoFolder } from '../app/demo-folder.ts'
import type { FirstStart } from '../app/first-start.ts'
import { requireSharedDatabase } from '../app/require-shared-database.ts'
import { runServer } from '../app/run-server.ts'
import { runWorker } from '../app/run-worker.ts'
import type { Settings } from '../config/settings.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { createLog } from '../telemetry/log.ts'
import type { Output } from './output.ts'

/** `docent start`: the server and the worker in one process, until SIGTERM or SIGINT. */
export async function start(output: Output): Promise<void> {
  await runUntilStopped(output, readEnvironment(), 'all')
}

/** `docent serve`: the server without the worker, until SIGTERM or SIGINT. @throws {SettingsError} without PostgreSQL. */
export async function serve(output: Output): Promise<void> {
  const settings = readEnvironment()
  requireSharedDatabase(settings, 'serve')
  await runUntilStopped(output, settings, 'serve')
}

/** `docent work`: the worker without the server, until SIGTERM or SIGINT. @throws {SettingsError} without PostgreSQL. */
export async function work(output: Output): Promise<void> {
  const settings = readEnvironment()
  requireSharedDatabase(settings, 'work')
  const worker = await runWorker({ settings, log: createLog(settings.logLevel), demoFolder })
  output.result({ working: true }, () => 'Docent is working: it indexes and looks after what the servers accept.')
  await waitForStop(worker)
}

async function runUntilStopped(output: Output, settings: Settings, role: 'all' | 'serve'): Promise<void> {
  const log = createLog(settings.logLevel)
  const server = await runServer({ settings, log, demoFolder, role })
  const { firstStart, spendingNotes } = server.service
  output.result(
    { url: server.url, baseUrl: server.baseUrl, ...(firstStart === null ? {} : { firstStart }), spendingNotes },
    () =>
      `${firstStart === null ? '' : describeFirstStart(firstStart, server.baseUrl)}${spendingNotes.map((note) => `${note}\n`).join('')}The dashboard is at ${server.baseUrl}/dashboard\nDocent is listening on ${server.url}`,
  )
  await waitForStop(server)
}

/** A second signal does not wait. */
function waitForStop(running: { stop(): Promise<void> }): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
      void running.stop().finally(resolve)
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

function describeFirstStart({ adminKey, assistantKey, siteSlug, ownerLink }: FirstStart, baseUrl: string): string {
  return `
This is the first start. These keys are shown once, so keep them now:

  admin key      ${adminKey}   (servers only)
  assistant key  ${assistantKey}   (site "${siteSlug}", public)

Set up your account for the dashboard, within an hour and once; docent owner-link makes another link:

  ${dashboardLink(ownerLink, baseUrl)}

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

/** The page for browsers with scripts. The link itself leads to the one that does without. */
function dashboardLink(ownerLink: string, baseUrl: string): string {
  return `${baseUrl}/dashboard/accept${new URL(ownerLink).search}`
}
