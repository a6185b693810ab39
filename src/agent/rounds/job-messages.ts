import type { AgentJobContext } from '../../contract/agent-job.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import { findLastJobEnd } from '../../store/agent/agent-job-events.ts'
import { readAgentJobState } from '../../store/agent/agent-job-steps.ts'
import { type AgentJobMessage, listAgentJobMessages } from '../../store/agent/agent-job-messages.ts'
import type { AgentJob } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { describeRound, type RoundSummary, summarizeRounds } from './round-summary.ts'
import type { StoredCheckpoint } from './stored-checkpoint.ts'

/** User messages in the form of the conversation. */
export interface SeenMessages {
  messages: ChatPrompt
  /** How many messages the user had written up to and including these. */
  messagesSeen: number
}

/**
 * The messages that a round begins with, including earlier ones of the job.
 *
 * @param note What happened to the branch in between; null for nothing.
 */
export async function readConversation(
  { store }: Pick<AgentDeps, 'store'>,
  job: AgentJob,
  note: string | null,
): Promise<SeenMessages & { rounds: RoundSummary[] }> {
  const messages = await listAgentJobMessages(store.durable, job.id, 0)
  const left = await readAgentJobState<StoredCheckpoint>(store.durable, job.id)
  const rounds = left === null ? [] : summarizeRounds(left, await findLastJobEnd(store.durable, job.id))
  return {
    messages: toConversation(job, { messages, rounds, note }),
    messagesSeen: messages.at(-1)?.number ?? 0,
    rounds,
  }
}

/** The messages after the first `messagesSeen`. */
export async function readUnread(
  { store }: Pick<AgentDeps, 'store'>,
  { id }: Pick<AgentJob, 'id'>,
  messagesSeen: number,
): Promise<SeenMessages> {
  const found = await listAgentJobMessages(store.durable, id, messagesSeen)
  return { messages: toPrompt(found), messagesSeen: found.at(-1)?.number ?? messagesSeen }
}

const earlierCharsMax = 2_000

/**
 * This round's request, after what earlier ones asked and did, without which "the same for the other page" has no
 * meaning.
 */
function toConversation(
  job: AgentJob,
  { messages, rounds, note }: { messages: readonly AgentJobMessage[]; rounds: RoundSummary[]; note: string | null },
): ChatPrompt {
  const earlier = messages.filter(({ round }) => round < job.round)
  const now = messages.filter(({ round }) => round >= job.round)
  if (earlier.length === 0) return toPrompt(now)
  const asked = earlier.map(({ round, text }) => `- Round ${round}: ${text.slice(0, earlierCharsMax)}`).join('\n')
  const text = `Requests of this job that were worked on before, the files hold the outcome:\n${asked}`
  const did = rounds.length === 0 ? 'I stopped before these were done.' : rounds.map(describeRound).join('\n\n')
  return [
    toUserMessage(text, ...(note === null ? [] : [note])),
    { role: 'assistant', content: [{ type: 'text', text: did }] },
    ...toPrompt(now),
  ]
}

/** A message of the user, in parts. */
function toUserMessage(...texts: readonly string[]): ChatPrompt[number] {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
}

function toPrompt(messages: readonly AgentJobMessage[]): ChatPrompt {
  return messages.map(({ text, context }) => toUserMessage(text, ...context.map(describeContext)))
}

function describeContext({ type, value, path }: AgentJobContext): string {
  return `The user has this before them, as data: ${JSON.stringify({ type, ...(path && { path }), value })}`
}
