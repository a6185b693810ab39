import { setTimeout as wait } from 'node:timers/promises'
import { type AgentJobEvent, decodeAgentJobEvents } from '../../src/contract/agent-job-event.ts'
import { type AgentJobResource, agentJobSchema } from '../../src/contract/agent-job.ts'
import { asAdmin, openPullRequest, pushChange } from './pull-requests.ts'
import type { Docent } from './start-docent.ts'

export const jobsPath = '/v2/agent/default'

export function postJob(docent: Docent, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return docent.post(`${jobsPath}/job`, body, { ...asAdmin, ...headers })
}

export async function createJob(docent: Docent, prompt: string, more: object = {}): Promise<AgentJobResource> {
  const response = await postJob(docent, { prompt, ...more })
  if (response.status !== 201) throw new Error(`The job was refused: ${await response.text()}`)
  return agentJobSchema.parse(await response.json())
}

export async function getJob(docent: Docent, id: string): Promise<AgentJobResource> {
  return agentJobSchema.parse(await (await docent.get(`${jobsPath}/job/${id}`, asAdmin)).json())
}

export function sendToJob(docent: Docent, id: string, what: string, body: object = {}): Promise<Response> {
  return docent.post(`${jobsPath}/job/${id}/${what}`, body, asAdmin)
}

/** Waits until the job is not active any more. Its events end then, and following them costs less than asking again and again. */
export async function finishJob(docent: Docent, id: string): Promise<AgentJobResource> {
  for (;;) {
    const job = await getJob(docent, id)
    if (job.status !== 'active') return job
    const events = await docent.get(`${jobsPath}/job/${id}/events`, asAdmin)
    await events.text().catch(() => wait(50))
  }
}

export async function runJob(docent: Docent, prompt: string, more: object = {}): Promise<AgentJobResource> {
  return finishJob(docent, (await createJob(docent, prompt, more)).id)
}

/** The events of a job to its end, with their numbers. */
export async function readEvents(
  docent: Docent,
  id: string,
  after?: number,
): Promise<{ seq: number; event: AgentJobEvent }[]> {
  const headers = { ...asAdmin, ...(after !== undefined && { 'last-event-id': String(after) }) }
  const response = await docent.get(`${jobsPath}/job/${id}/events`, headers)
  const text = await response.text()
  const events: { seq: number; event: AgentJobEvent }[] = []
  for await (const event of decodeAgentJobEvents(toPieces(text))) events.push(event)
  return events
}

async function* toPieces(text: string) {
  yield text
}

/** Another change of the default branch. @returns The commit of its merge. */
export async function mergeChange(docent: Docent, branch: string, path: string, text: string): Promise<string> {
  await (await pushChange(docent, { branch, path, text })).remove()
  const { id } = await openPullRequest(docent, { branch })
  const merged = await docent.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)
  return ((await merged.json()) as { mergeCommit: string }).mergeCommit
}
