import { demoFolder } from '../app/demo-folder.ts'
import type { FirstStart } from '../app/first-start.ts'
import { NoInstallationError } from '../app/require-installation.ts'
import { requireSharedDatabase } from '../app/require-shared-database.ts'
import { runServer } from '../app/run-server.ts'
import { runWorker } from '../app/run-worker.ts'
import type { Settings } from '../config/settings.ts'
import { nameCommand } from '../config/name-command.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { offlineModelId } from '../contract/model-providers.ts'
import { findLocalModels, listLocalServers } from '../models/find-local-models.ts'
import { createLog } from '../telemetry/log.ts'
import { listenForStop } from './listen-for-stop.ts'
import { describeLocalModels } from './model.ts'
import type { Output } from './output.ts'

/** `docent start`: server and worker in one process, until stopped. */
export async function start(output: Output): Promise<void> {
  await runUntilStopped(output, readEnvironment(), 'all')
}

/** `docent serve`: the server without the worker, until stopped. @throws {SettingsError} without PostgreSQL. */
export async function serve(output: Output): Promise<void> {
  const settings = readEnvironment()
  requireSharedDatabase(settings, 'serve')
  await runUntilStopped(output, settings, 'serve')
}

/** `docent work`: the worker without the server, until stopped. @throws {SettingsError} without PostgreSQL. */
export async function work(output: Output): Promise<void> {
  const settings = readEnvironment()
  requireSharedDatabase(settings, 'work')
  const stop = listenForStop()
  try {
    const worker = await runWorker({ settings, log: createLog(settings.logLevel), demoFolder, signal: stop.signal })
    output.result(
      { working: true },
      () => 'The worker is running. It syncs sites and runs the jobs that servers accept.',
    )
    await stop.requested
    await worker.stop()
  } catch (error) {
    if (!(error instanceof NoInstallationError && stop.signal.aborted)) throw error
  }
}

async function runUntilStopped(output: Output, settings: Settings, role: 'all' | 'serve'): Promise<void> {
  const stop = listenForStop()
  const announced: FirstStart[] = []
  const announce = (made: FirstStart, baseUrl: string) => {
    announced.push(made)
    output.write(describeFirstStart(made, baseUrl))
  }
  const log = createLog(settings.logLevel)
  const firstStart = { kind: 'make', announce } as const
  const server = await runServer({ settings, log, demoFolder, role, firstStart }).catch((error: unknown) => {
    // In text mode the keys are already printed; in JSON mode they are not.
    if (output.isJson) for (const made of announced) output.result({ firstStart: made }, () => '')
    throw error
  })
  const { url, baseUrl, service } = server
  const { firstStart: made, spendingNotes } = service
  const offer = made === null ? null : await offerLocalModels(settings)
  output.result({ url, baseUrl, ...(made === null ? {} : { firstStart: made }), spendingNotes }, () =>
    [
      ...(made === null ? [describeWaysIn()] : []),
      ...(offer === null ? [] : [offer]),
      ...spendingNotes,
      `The dashboard is at ${baseUrl}/dashboard`,
      `Docent is listening on ${url}`,
    ].join('\n'),
  )
  await stop.requested
  await server.stop()
}

async function offerLocalModels(settings: Settings): Promise<string | null> {
  if (settings.model !== offlineModelId) return null
  return describeLocalModels(await findLocalModels(listLocalServers(settings)))
}

/** For owners who missed the output of the first start, or whose process was killed before printing it. */
function describeWaysIn(): string {
  return `
The first start printed the keys and the owner's link. To create new ones with docent owner-link and
docent key create, run:

  ${nameCommand('owner-link')}
  ${nameCommand('key create --kind admin --name NAME')}
  ${nameCommand('key create --kind assistant --name NAME --site SITE')}
`
}

function describeFirstStart({ adminKey, assistantKey, siteSlug, ownerLink }: FirstStart, baseUrl: string): string {
  return `
This is the first start. These keys are shown only once, so store them now:

  admin key      ${adminKey}   (servers only)
  assistant key  ${assistantKey}   (site "${siteSlug}", public)

Set up your dashboard account with this link. It works once, within an hour. For another link: ${nameCommand('owner-link')}

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

/** The dashboard page; the link itself leads to the page without scripts. */
function dashboardLink(ownerLink: string, baseUrl: string): string {
  return `${baseUrl}/dashboard/accept${new URL(ownerLink).search}`
}
