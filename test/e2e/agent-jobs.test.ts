import { sql } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentJobListSchema, agentJobSchema, promptCharsMax } from '../../src/contract/agent-job.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import {
  createJob,
  finishJob,
  getJob,
  jobsPath,
  postJob,
  readEvents,
  runJob,
  sendToJob,
} from '../support/agent-jobs.ts'
import { addressOf, asAdmin, getPullRequest, pushChange, servedRevision } from '../support/pull-requests.ts'
import { makeOwner } from '../support/member-browser.ts'
import { cloneRepository } from '../support/git-client.ts'
import { type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
}, 120_000)
afterAll(() => docent.remove())

const codeOf = async (response: Response) => errorBodySchema.parse(await response.json()).code

/** The pull request of a job, as the host's own API has it. */
async function pullRequestOf(job: { prLink: string | null }) {
  const response = await docent.get('/admin/v1/pull-requests?limit=200', asAdmin)
  const { items } = (await response.json()) as { items: { id: string; url: string }[] }
  const found = items.find(({ url }) => url === job.prLink)
  return getPullRequest(docent, found?.id ?? '')
}

async function mergeJob(job: { prLink: string | null }): Promise<void> {
  const { id } = await pullRequestOf(job)
  const merged = await docent.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)
  expect(merged.status).toBe(200)
  const { mergeCommit } = await getPullRequest(docent, id)
  while ((await servedRevision(docent)) !== mergeCommit) await wait(50)
}

/** A file of a branch. */
async function readFile(branch: string, path: string): Promise<string> {
  const client = await cloneRepository(addressOf(docent))
  try {
    return await client.git('show', `origin/${branch}:${path}`)
  } finally {
    await client.remove()
  }
}

describe('a job with a literal instruction', () => {
  it('ends in a pull request, after whose merge the assistant answers from the new text', async () => {
    const job = await createJob(docent, 'Replace "paper" by "papyrus" on every page.')
    expect(job).toMatchObject({
      status: 'active',
      prLink: null,
      source: { repository: 'default/docs', ref: 'main' },
      model: 'docent/offline',
    })

    const done = await finishJob(docent, job.id)

    expect(done).toMatchObject({ status: 'completed', failure: null, pullRequest: { state: 'open', draft: false } })
    expect(done.prLink).toMatch(/\/pull\/[\w-]{20,}\/\d+$/)
    expect(done.changes.length).toBeGreaterThan(0)
    expect((await fetch(`${done.prLink}/view`)).status).toBe(200)
    await mergeJob(done)
    const found = await docent.post('/discovery/v1/search/docs', { query: 'papyrus' })
    expect(
      searchResponseSchema
        .parse(await found.json())
        .map(({ content }) => content)
        .join(),
    ).toContain('papyrus')
    const answer = await docent.post('/discovery/v2/assistant/docs/message', {
      fp: 'anonymous',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does the error E-42 mean?' }] }],
    })
    expect(await answer.text()).toContain('papyrus')
    expect(await getJob(docent, job.id)).toMatchObject({ pullRequest: { state: 'merged' } })
  }, 120_000)

  it('renames a page with its links, its navigation and a redirect', async () => {
    const done = await runJob(docent, 'Rename the page guides/install to guides/setup and keep its links working.')

    expect(done).toMatchObject({ status: 'completed', pullRequest: { draft: false } })
    const config = JSON.parse(await readFile(done.branch, 'docs.json')) as { redirects: unknown }
    expect(JSON.stringify(config)).toContain('"guides/setup"')
    expect(config.redirects).toEqual([{ source: '/guides/install', destination: '/guides/setup' }])
    expect(await readFile(done.branch, 'index.mdx')).not.toContain('guides/install')
    expect(done.changes.find(({ kind }) => kind === 'renamed')?.path).toBe('guides/setup.mdx')
  }, 120_000)

  it('adds a page with its place in the navigation, and deletes one with the links to it', async () => {
    const added = await runJob(
      docent,
      'Add a page guides/faq titled "Questions" with this content:\n```md\nAsk away.\n```',
    )
    const deleted = await runJob(docent, 'Delete the page reference/limits')

    expect(await readFile(added.branch, 'guides/faq.mdx')).toBe('---\ntitle: "Questions"\n---\n\nAsk away.')
    expect(await readFile(added.branch, 'docs.json')).toContain('"guides/faq"')
    expect(deleted).toMatchObject({ status: 'completed', pullRequest: { draft: false } })
    expect(await readFile(deleted.branch, 'docs.json')).not.toContain('reference/limits')
  }, 120_000)

  it('follows several instructions in one prompt, each with what depends on it', async () => {
    const done = await runJob(
      docent,
      'On guides/install, rename the heading "Update a machine" to "Updates". Then append "See the limits." to guides/install, redirect /old to guides/install, and move reference/limits to the group "Start" in the navigation.',
    )

    expect(done).toMatchObject({ status: 'completed', pullRequest: { draft: false } })
    const page = await readFile(done.branch, 'guides/install.mdx')
    expect(page).toContain('## Updates\n')
    expect(page.trimEnd()).toMatch(/\n\nSee the limits\.$/)
    const config = JSON.parse(await readFile(done.branch, 'docs.json')) as { redirects: unknown; navigation: unknown }
    expect(config.redirects).toEqual([{ source: '/old', destination: '/guides/install' }])
    expect(JSON.stringify(config.navigation)).toMatch(/"group":"Start","pages":\[[^\]]*"reference\/limits"/)
  }, 120_000)

  it('fixes broken links, as far as one page alone can be meant', async () => {
    const text =
      '---\ntitle: Links\n---\n\nSee [this](/guides/printer), [that](/old/partners) and [nothing](/no/where).\n'
    const client = await pushChange(docent, { branch: 'broken', path: 'guides/links.mdx', text })
    await client.remove()

    const job = await runJob(docent, 'Fix all broken links.', { baseBranch: 'broken' })

    expect(job).toMatchObject({ status: 'completed', title: 'Fix 2 broken links' })
    const fixed = await readFile(job.branch, 'guides/links.mdx')
    expect(fixed).toContain('[this](/guides/printers), [that](/reference/partners) and [nothing](/no/where)')
  }, 120_000)

  it('that finds nothing to do ends without a pull request', async () => {
    const done = await runJob(docent, 'Replace "xyzzy-nowhere" by "plugh" on every page.')

    expect(done).toMatchObject({ status: 'completed', prLink: null, pullRequest: null, changes: [] })
    expect(done.summary).toContain('occurs nowhere')
  }, 120_000)

  it('that the offline model cannot follow fails with a sentence that names the setting, and is not made for a member', async () => {
    const done = await runJob(docent, 'Make the introduction friendlier and more inspiring.')

    expect(done).toMatchObject({ status: 'failed', prLink: null, failure: { code: 'model_required' } })
    expect(done.failure?.message).toContain('DOCENT_MODEL')
    const member = await makeOwner(docent)
    const asMember = (prompt: string) => member.send('POST', '/v2/agent/default/job', { prompt })
    const refused = await asMember('Make the introduction friendlier and more inspiring.')
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'model_required', error: done.failure?.message })
    expect((await asMember('Set the title of page guides/printers to "Printers".')).status).toBe(201)
  }, 120_000)
})

describe('a follow-up', () => {
  it('on a finished job continues its branch and its pull request', async () => {
    const first = await runJob(docent, 'Set the description of page guides/printers to "About printers".')
    const answer = await sendToJob(docent, first.id, 'message', {
      prompt: 'Set the title of page guides/printers to "All printers".',
    })
    const active = agentJobSchema.parse(await answer.json())

    expect(active).toMatchObject({ status: 'active', prLink: null, pullRequest: { state: 'open' } })
    const second = await finishJob(docent, first.id)
    expect(second).toMatchObject({ status: 'completed', prLink: first.prLink, branch: first.branch })
    const page = await readFile(first.branch, 'guides/printers.mdx')
    expect(page).toContain('description: About printers')
    expect(page).toContain('title: All printers')
  }, 120_000)

  it.each(['Undo that, please.', 'Mach das bitte rückgängig.', 'Annule tes dernières modifications.', 'Deshaz eso.'])(
    'takes back what the round before did: %s',
    async (undo) => {
      const prompt = `Move the page guides/printers to guides/devices.\nDelete the page reference/limits.\nAdd a page guides/undone titled "Undone" with this content: "Text."`
      const job = await runJob(docent, prompt)
      expect(job.changes.length).toBeGreaterThan(3)

      await sendToJob(docent, job.id, 'message', { prompt: undo })
      const undone = await finishJob(docent, job.id)

      expect(undone).toMatchObject({ status: 'completed', changes: [] })
      expect(undone.summary).toMatch(/^Took back “Move /)
    },
  )

  it('on a job whose pull request was closed starts anew', async () => {
    const first = await runJob(docent, 'Set the tag of page index to "NEW".')
    const { id } = await pullRequestOf(first)
    await docent.post(`/admin/v1/pull-requests/${id}/close`, {}, asAdmin)

    await sendToJob(docent, first.id, 'message', { prompt: 'Set the tag of page index to "FRESH".' })
    const second = await finishJob(docent, first.id)

    expect(second.status).toBe('completed')
    expect(second.prLink).not.toBe(first.prLink)
    expect(second.branch).not.toBe(first.branch)
    expect(await readFile(second.branch, 'index.mdx')).toContain('tag: FRESH')
  }, 120_000)
})

describe('the requests', () => {
  it('make one job for a hundred requests with one key, and refuse another body under it', async () => {
    const headers = { 'idempotency-key': 'one-for-all' }
    const body = { prompt: 'Replace "xyzzy" by "plugh" on every page.' }
    const replies = await Promise.all(Array.from({ length: 100 }, () => postJob(docent, body, headers)))

    const jobs = await Promise.all(replies.map(async (reply) => agentJobSchema.parse(await reply.json()).id))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    expect(new Set(jobs).size).toBe(1)
    const other = await postJob(docent, { prompt: 'Another prompt.' }, headers)
    expect(other.status).toBe(409)
    expect(await codeOf(other)).toBe('conflict')
    await finishJob(docent, jobs[0] ?? '')
  }, 120_000)

  it.each([
    ['no prompt', {}, 400],
    ['a blank prompt', { prompt: ' \n ' }, 400],
    ['a prompt over the limit', { prompt: 'x'.repeat(promptCharsMax + 1) }, 400],
    ['a model that is not configured', { prompt: 'Do it.', model: 'openai/gpt-5' }, 400],
    ['a base branch that is not there', { prompt: 'Do it.', baseBranch: 'nowhere' }, 400],
    ['the default branch to write to', { prompt: 'Do it.', branch: 'main' }, 400],
    ['a branch that is an option', { prompt: 'Do it.', branch: '--upload-pack=x' }, 400],
  ])('refuse %s and make nothing', async (_, body, status) => {
    const before = await countJobs()

    const response = await postJob(docent, body)

    expect(response.status).toBe(status)
    expect(await countJobs()).toBe(before)
  })

  it('count against their limit only when they are written, and are named in the audit log then', async () => {
    const { durable } = docent.service.store
    const standing = async (prompt: string) => {
      const response = await postJob(docent, { prompt })
      return { status: response.status, left: /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1] }
    }
    const before = await standing('Replace "paper" by "papyrus" on the page guides/printers.')
    await sql`create trigger full_disk before insert on job_messages begin select raise(abort, 'full'); end`.execute(
      durable,
    )

    const refused = [await standing('Do it.'), await standing('Do it.')]
    await sql`drop trigger full_disk`.execute(durable)
    const after = await standing('Replace "papyrus" by "paper" on the page guides/printers.')

    expect(refused.map(({ status, left }) => [status >= 500, left])).toEqual([
      [true, undefined],
      [true, undefined],
    ])
    expect([before.status, after.status]).toEqual([201, 201])
    expect(Number(after.left)).toBe(Number(before.left) - 1)
  })

  it('leave no secret in the record, the events and the branch, and refuse fields that are not known', async () => {
    const secret = ['ghp_', 'kT9vQz3Lm8XrW2pBn5HdJ7cFy4GsA6uEq1Vo'].join('')

    const job = await runJob(docent, `Replace "${secret}" by "paper" on every page.`)
    const events = await readEvents(docent, job.id)
    const misspelled = await postJob(docent, { prompt: 'Replace "a" by "b".', description: 'x' })

    expect(JSON.stringify([job, events]).toLowerCase()).not.toContain(secret.slice(4, 20).toLowerCase())
    expect([job.prompt, misspelled.status]).toEqual(['Replace "[key]" by "paper" on every page.', 400])
    expect(await misspelled.text()).toContain('description')
  })

  it('know no project and no job but their own', async () => {
    const project = await docent.post('/v2/agent/elsewhere/job', { prompt: 'Do it.' }, asAdmin)
    const job = await docent.get(`${jobsPath}/job/job_none`, asAdmin)
    const assistant = await docent.post(`${jobsPath}/job`, { prompt: 'Do it.' })

    expect([project.status, job.status, assistant.status]).toEqual([404, 404, 403])
    expect(await codeOf(job)).toBe('job_not_found')
  })

  it.each(['HEAD', 'a'.repeat(40), '-x', 'a..b', 'main'])('refuse the branch %s', async (branch) => {
    const refused = await postJob(docent, { prompt: 'Do it.', branch })

    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ details: [{ path: 'branch' }] })
  })

  it('cancel, archive and list', async () => {
    const job = await createJob(docent, 'Replace "xyzzy" by "plugh" on every page.')
    await finishJob(docent, job.id)

    const archived = agentJobSchema.parse(await (await sendToJob(docent, job.id, 'archive')).json())
    const followUp = await sendToJob(docent, job.id, 'message', { prompt: 'More.' })
    const listed = await docent.get(`${jobsPath}/jobs?limit=1&status=completed`, asAdmin)

    expect(archived).toMatchObject({ status: 'completed', archivedAt: expect.any(String) })
    expect(await codeOf(followUp)).toBe('job_archived')
    const { jobs, nextCursor } = agentJobListSchema.parse(await listed.json())
    expect(jobs.map(({ id }) => id)).toEqual([job.id])
    expect(nextCursor).toBe(job.id)
    const back = agentJobSchema.parse(await (await sendToJob(docent, job.id, 'unarchive')).json())
    expect(back).toMatchObject({ status: 'completed', archivedAt: null })
  }, 120_000)

  it('give the events from the beginning, and from any event on', async () => {
    const job = await runJob(docent, 'Replace "xyzzy" by "plugh" on every page.')

    const all = await readEvents(docent, job.id)
    const rest = await readEvents(docent, job.id, 3)

    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
    expect(all.map(({ event }) => event.type)).toEqual([
      'message-received',
      'job-started',
      'tool-called',
      'step-finished',
      'tool-called',
      'checks-finished',
      'step-finished',
      'job-completed',
    ])
    expect(rest).toEqual(all.slice(3))
  }, 120_000)
})

describe('another installation', () => {
  it('refuses what is over the limit of the project, and counts only what it takes', async () => {
    // From the beginning of an hour on, so that the limit does not begin anew in between.
    const startedAt = Date.now()
    const clock = { now: () => Date.now() - (startedAt % 3_600_000) }
    const small = await startDocent({ clock, env: { DOCENT_LIMIT_JOBS_PER_HOUR: '1' } })
    const prompt = 'Replace "xyzzy" by "plugh" on every page.'

    const refused = await postJob(small, { prompt, baseBranch: 'nowhere' })
    const first = await postJob(small, { prompt }, { 'idempotency-key': 'one' })
    const repeated = await postJob(small, { prompt }, { 'idempotency-key': 'one' })
    const second = await postJob(small, { prompt })

    expect([refused, first, repeated, second].map(({ status }) => status)).toEqual([400, 201, 201, 429])
    expect(first.headers.get('ratelimit')).toMatch(/^"jobs";r=0;t=\d+$/)
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/)
    await small.remove()
  }, 120_000)

  it('without a repository that takes pull requests refuses jobs', async () => {
    const reading = await startDocent({ demoFolder: sampleSite })

    const refused = await postJob(reading, { prompt: 'Do it.' })

    expect(refused.status).toBe(422)
    expect(await codeOf(refused)).toBe('no_repository')
    await reading.remove()
  }, 120_000)
})

async function countJobs(): Promise<number> {
  const response = await docent.get(`${jobsPath}/jobs?limit=200`, asAdmin)
  return agentJobListSchema.parse(await response.json()).jobs.length
}
