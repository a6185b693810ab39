import { hash } from 'node:crypto'
import type { IdSource } from '../base/ids.ts'
import { maskSecrets } from '../base/mask-secrets.ts'
import { CountBuffer } from '../store/counts/count-buffer.ts'
import type { WriteGroup } from '../store/write-group.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import { dayMs } from '../base/durations.ts'
import type { SeenAgent } from './classify-agent.ts'
import { noAnswer } from '../store/answers/messages.ts'
import type { AnswerRecord } from '../store/answers/write-answers.ts'

/** How an agent came: the representation of a page, a file for agents, or a tool. */
export type AgentForm = 'html' | 'markdown' | 'files' | 'search' | 'ask' | 'read' | 'list' | 'feedback'

export interface AgentVisit {
  siteId: string
  agent: SeenAgent
  form: AgentForm
  /** Path of the page, or what was searched; empty where neither applies. */
  subject: string
  /** Whether it found nothing. */
  isMissed: boolean
  /** Address of the caller, to count callers of a day; null if the caller asks not to be followed. */
  address: string | null
}

export interface AgentsSeenDeps extends StoreDeps {
  ids: IdSource
  log: Log
  /** Stores what was missed as questions. */
  writes: Pick<WriteGroup, 'add'>
  /** Whether to mask secrets and personal data before storing. */
  masksStored: boolean
  randomBytes(size: number): Buffer
}

export const agentVisitPrefix = 'agent-visit:'
export const agentCallerPrefix = 'agent-caller:'
/** Prefix of the `fp` in feedback from agents. */
export const agentFeedbackPrefix = 'agent-'

const writeMs = 60_000
const subjectCharsMax = 200
/** Bounds per site and day; beyond them, visits are counted without their name or subject. */
const namesMax = 200
const subjectsMax = 2_000
const callersMax = 20_000
/** Questions that agents add to a site's gaps on one day. */
const questionsMax = 50

/** What is known of the agents of a site today, in this process only. */
interface SiteDay {
  names: Set<string>
  subjects: Set<string>
  callers: Set<string>
  missed: Set<string>
}

/**
 * Counts agents by what they say they are and what they read, and makes what they missed a question of the site, so
 * that it becomes a gap as a reader's does. Keeps nothing else of the caller: addresses only as a keyed hash in memory,
 * whose key is thrown away with the day.
 */
export class AgentsSeen {
  readonly #deps: AgentsSeenDeps
  readonly #counts: CountBuffer
  #today = { startsAt: 0, salt: '', sites: new Map<string, SiteDay>() }
  #questions: { siteId: string; text: string }[] = []

  constructor(deps: AgentsSeenDeps) {
    this.#deps = deps
    this.#counts = new CountBuffer(deps, { writeMs, countsMax: 20_000, onWrite: () => this.#writeQuestions() })
  }

  note({ siteId, agent, form, subject, isMissed, address }: AgentVisit): void {
    const { sites, salt, startsAt } = this.#findToday()
    const day = sites.get(siteId) ?? { names: new Set(), subjects: new Set(), callers: new Set(), missed: new Set() }
    sites.set(siteId, day)
    const name = keep(day.names, agent.name, namesMax) ? agent.name : 'other'
    const text = this.#clean(subject)
    const kept = keep(day.subjects, `${form} ${text}`, subjectsMax) ? text : ''
    const visit = JSON.stringify([agent.class, name, form, Number(isMissed), kept])
    this.#counts.add(agentVisitPrefix + visit, siteId, startsAt)
    const caller = address === null ? null : hash('sha256', `${salt} ${siteId} ${agent.name} ${address}`)
    if (caller !== null && !day.callers.has(caller) && keep(day.callers, caller, callersMax)) {
      this.#counts.add(agentCallerPrefix + agent.class, siteId, startsAt)
    }
    if (isMissed && isQuestion(agent, form, kept)) this.#ask(day, siteId, isSaid(form) ? kept : `Where is ${kept}?`)
  }

  /** Writes what was counted so far. Never rejects. */
  flush(): Promise<void> {
    return this.#counts.flush()
  }

  #clean(text: string): string {
    const line = text.replace(/\s+/g, ' ').trim().slice(0, subjectCharsMax).toWellFormed()
    return this.#deps.masksStored ? maskSecrets(line) : line
  }

  #ask(day: SiteDay, siteId: string, text: string): void {
    if (day.missed.has(text) || !keep(day.missed, text, questionsMax)) return
    this.#questions.push({ siteId, text })
  }

  async #writeQuestions(): Promise<void> {
    const questions = this.#questions
    this.#questions = []
    const { ids, clock, writes } = this.#deps
    for (const question of questions) {
      await writes.add(writeMissedQuestion({ ...question, at: clock.now(), ids }))
    }
  }

  #findToday() {
    const startsAt = Math.floor(this.#deps.clock.now() / dayMs) * dayMs
    if (this.#today.startsAt !== startsAt) {
      this.#today = { startsAt, salt: this.#deps.randomBytes(32).toString('base64'), sites: new Map() }
    }
    return this.#today
  }
}

/** @returns Whether the set has the value afterwards. */
function keep(values: Set<string>, value: string, sizeMax: number): boolean {
  if (values.has(value)) return true
  if (values.size >= sizeMax) return false
  values.add(value)
  return true
}

/** Whether its subject is what the agent said, not an address. */
const isSaid = (form: AgentForm) => form === 'search' || form === 'feedback'

const documentPath = /^\/(?:[^.]|\.(?=mdx?$|html?$))*$/

/** Excludes addresses that programs and crawlers probe on any site. */
function isQuestion({ class: agentClass, isDeclared }: SeenAgent, form: AgentForm, subject: string): boolean {
  if (subject === '') return false
  if (isSaid(form)) return true
  const isReader = agentClass === 'coding-agent' || agentClass === 'assistant' || agentClass === 'agent'
  return isReader && (isDeclared || form === 'read') && documentPath.test(subject)
}

/** What an agent missed, as a question without an answer. */
function writeMissedQuestion({
  siteId,
  text,
  at,
  ids,
}: {
  siteId: string
  text: string
  at: number
  ids: IdSource
}): AnswerRecord {
  const [threadId, questionId] = [ids.prefixed('thr'), ids.prefixed('msg')]
  const context = { origin: null, version: null, language: null, currentPath: null, triedPaths: [] }
  const shared = { ...noAnswer, text: '', turnKey: null, siteId, threadId, createdAt: at }
  return {
    // Nobody has the key of this thread.
    thread: {
      siteId,
      id: threadId,
      keyHash: hash('sha256', ids.prefixed('key')),
      fp: 'agent',
      createdAt: at,
      updatedAt: at,
    },
    messages: [
      { ...shared, id: questionId, role: 'user', text },
      {
        ...shared,
        id: ids.prefixed('msg'),
        role: 'assistant',
        verdict: 'unanswered',
        questionId,
        asked: { ...context, caller: 'agent', keyId: null },
      },
    ],
  }
}
