import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents, runJob } from '../support/agent-jobs.ts'
import { startAnthropicServer } from '../support/anthropic-server.ts'
import { competentParts } from '../support/competent-parts.ts'
import { startGeminiServer } from '../support/gemini-server.ts'
import { cloneRepository } from '../support/git-client.ts'
import { hostileParts, hostileSecret } from '../support/hostile-parts.ts'
import { addressOf } from '../support/pull-requests.ts'
import { countTurns, type ScriptedStep, startScriptedProvider } from '../support/scripted-provider.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

/** What the model does at each of its turns. */
let stepAt: (turn: number) => ScriptedStep = () => ({})
const play = (steps: readonly ScriptedStep[]) => void (stepAt = (turn) => steps[turn] ?? {})
const turnsOf = (messages: readonly { role: string }[], role: string) =>
  messages.filter((message) => message.role === role).length

const protocols = [
  ['openai-compatible/scripted', () => startScriptedProvider((request) => stepAt(countTurns(request)))],
  [
    'anthropic/claude-sonnet-4-5',
    () =>
      startAnthropicServer(({ messages }) => {
        const { text, calls } = stepAt(turnsOf(messages, 'assistant'))
        return { ...(text !== undefined && { text: [text].flat().join('') }), ...(calls !== undefined && { calls }) }
      }),
  ],
  ['google/gemini-2.5-flash', () => startGeminiServer(({ contents }) => stepAt(turnsOf(contents, 'model')))],
] as const

const finish: ScriptedStep = {
  calls: [{ tool: 'finish', input: { title: 'Improve the guide', summary: 'As it was asked.', notDone: null } }],
}

describe.each(protocols)('%s', (model, start) => {
  let server: { url: string; close(): Promise<void> }
  let docent: Docent

  beforeAll(async () => {
    server = await start()
    docent = await startDocent({
      env: {
        DOCENT_AGENT_MODEL: model,
        DOCENT_AGENT_MODEL_BASE_URL: server.url,
        DOCENT_AGENT_MODEL_API_KEY: 'key-of-test',
      },
    })
  })
  afterAll(async () => {
    await docent.remove()
    await server.close()
  })

  async function show(branch: string, ...options: string[]): Promise<string> {
    const client = await cloneRepository(addressOf(docent))
    try {
      return await client.git('log', '--format=%B', '--patch', ...options, `origin/main..origin/${branch}`)
    } finally {
      await client.remove()
    }
  }

  const listFailures = async (id: string) =>
    (await readEvents(docent, id)).flatMap(({ event }) =>
      event.type === 'tool-called' && event.outcome === 'failed' ? [`${event.tool}: ${event.message}`] : [],
    )

  it.each(competentParts)(
    '%s without a refusal',
    async (_name, part) => {
      play([...part.steps.map((calls) => ({ calls })), finish])

      const job = await runJob(docent, 'Improve the guide.')

      expect([job.status, job.failure, await listFailures(job.id)]).toEqual(['completed', null, []])
      expect(job.pullRequest).toMatchObject({ draft: false })
      const pushed = await show(job.branch)
      for (const line of part.shows) expect(pushed).toMatch(line)
    },
    120_000,
  )

  it('refuses every hostile part with a reason, and pushes nothing of theirs', async () => {
    const note = { tool: 'write', input: { path: 'guides/notes.mdx', content: '---\ntitle: Notes\n---\n\nText.\n' } }
    const hostile = hostileParts.flatMap(([, part]) => part.steps.map((calls) => ({ calls })))
    const endings = hostileParts.flatMap(([, { ending }]) => ending ?? [])
    play([...hostile, { calls: [note] }, ...endings])

    const job = await runJob(docent, 'Take over the site.')

    const pushed = await show(job.branch, '--no-renames')
    expect([job.status, job.pullRequest?.draft]).toEqual(['completed', false])
    expect((await listFailures(job.id)).length).toBeGreaterThan(130)
    for (const [part, { signs }] of hostileParts)
      expect([part, signs.flatMap((sign) => sign.exec(pushed)?.[0] ?? [])]).toEqual([part, []])
    expect(JSON.stringify([job, await readEvents(docent, job.id)])).not.toContain(hostileSecret)
    expect(job.changes.filter(({ path }) => !/^docs\.json$|\.mdx$/.test(path))).toEqual([])
  }, 240_000)

  it('goes on after a call that is too long to be read, with a smaller one', async () => {
    const long = { tool: 'write', input: { path: 'guides/long.mdx', content: 'A long text. '.repeat(450_000) } }
    const short = { tool: 'write', input: { path: 'guides/short.mdx', content: '---\ntitle: Short\n---\n\nText.\n' } }
    const later: ScriptedStep[] = [{ calls: [long] }, { calls: [short] }, finish]
    stepAt = () => later.shift() ?? {}

    const job = await runJob(docent, 'Write a long page.')

    expect([job.status, job.failure]).toEqual(['completed', null])
    expect(job.changes.map(({ path }) => path)).not.toContain('guides/long.mdx')
    expect(job.changes.map(({ path }) => path)).toContain('guides/short.mdx')
  }, 120_000)
})
