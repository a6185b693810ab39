import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgentJobDiffResource, agentJobDiffSchema } from '../../src/contract/agent-job-diff.ts'
import { agentJobListSchema, type AgentJobResource } from '../../src/contract/agent-job.ts'
import { createJob, finishJob, jobsPath, runJob, sendToJob } from '../support/agent-jobs.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
let job: AgentJobResource

beforeAll(async () => {
  docent = await startDocent()
  job = await runJob(docent, 'Replace "office" by "bureau" on every page.')
})
afterAll(() => docent.remove())

async function readDiff(id: string): Promise<AgentJobDiffResource> {
  return agentJobDiffSchema.parse(await (await docent.get(`/admin/v1/jobs/${id}/diff`, asAdmin)).json())
}

async function list(query: string): Promise<string[]> {
  const response = await docent.get(`${jobsPath}/jobs?${query}`, asAdmin)
  return agentJobListSchema.parse(await response.json()).jobs.map(({ id }) => id)
}

it('shows what a job has changed against the commit that it began at', async () => {
  const diff = await readDiff(job.id)

  expect(diff).toMatchObject({ round: 1, filesTotal: 1 })
  expect(diff.files).toMatchObject([{ path: 'index.mdx', kind: 'modified', additions: 1, deletions: 1 }])
  expect(diff.files[0]?.patch).toMatch(/^@@ [^\n]*\n[\s\S]*^-.*the office\.$/m)
  expect(diff.files[0]?.patch).toMatch(/^\+.*the bureau\.$/m)
})

it('shows the whole change of a job after a further message too', async () => {
  await sendToJob(docent, job.id, 'message', { prompt: 'Replace "paper" by "sheet" on every page.' })
  await finishJob(docent, job.id)

  const diff = await readDiff(job.id)
  const text = diff.files.map(({ patch }) => patch).join('\n')

  expect(diff.round).toBe(2)
  expect([text.includes('+'), text.includes('bureau'), text.includes('sheet')]).toEqual([true, true, true])
})

it('shows no change to those without a key or of another organization, and none of a job that is not there', async () => {
  const rival = await addOtherOrganization(docent)
  const ofOthers = await Promise.all(['', '/diff'].map((path) => docent.get(`/admin/v1/jobs/${job.id}${path}`, rival)))
  const unknown = await docent.get('/admin/v1/jobs/job_unknown/diff', asAdmin)
  const withoutKey = await docent.get(`/admin/v1/jobs/${job.id}/diff`)

  expect([unknown.status, withoutKey.status, ...ofOthers.map(({ status }) => status)]).toEqual([404, 401, 404, 404])
  expect(await unknown.json()).toMatchObject({ code: 'job_not_found' })
})

it('lists the jobs of a site, of a time and with a text', async () => {
  const other = await createJob(docent, 'Replace "sales" by "takings" on every page.')
  await finishJob(docent, other.id)

  expect(await list('site=docs')).toEqual([other.id, job.id])
  expect(await list('search=TAKINGS')).toEqual([other.id])
  expect(await list(`site=${job.siteId}&search=sheet`)).toEqual([job.id])
  expect(await list('from=2100-01-01T00:00:00Z')).toEqual([])
  expect(await list(`to=${other.createdAt}&from=${job.createdAt}`)).toEqual([job.id])
  const refused = await docent.get(`${jobsPath}/jobs?site=nowhere`, asAdmin)
  expect(refused.status).toBe(400)
})

it('says what jobs run with', async () => {
  const response = await docent.get('/admin/v1/agent', asAdmin)

  expect(await response.json()).toMatchObject({ model: 'docent/offline', isOffline: true, budget: { minutes: 120 } })
})
