import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { JsonValue } from '../../contract/json.ts'
import type { AgentProgram, AgentReply, ProgramCall, ProgramEnd, ProgramOutcome } from './agent-program.ts'
import { readInstruction } from './read-instruction.ts'

const refusal =
  'The built-in model follows literal instructions only: replace a text by another, set a frontmatter field, add, rename, move or delete a page, fix broken links. For anything else set DOCENT_AGENT_MODEL or DOCENT_MODEL to a language model, and send the request again.'

/** The next step of the offline model: the first step of its programs that the conversation does not contain yet. */
export function decideAgentReply({ prompt }: LanguageModelV4CallOptions): AgentReply {
  const tail = prompt.slice(prompt.findLastIndex(isEndOfEarlierWork) + 1)
  const programs = tail.flatMap(listTexts).map(readInstruction)
  if (programs.length === 0 || programs.includes(null)) return { type: 'refuse', sentence: refusal }
  const calls = replay(runAll(programs.filter((program) => program !== null)), listSteps(tail))
  return { type: 'call', calls }
}

/** A message without calls summarizes earlier requests and work. */
function isEndOfEarlierWork(message: LanguageModelV4Message): boolean {
  return message.role === 'assistant' && message.content.every(({ type }) => type !== 'tool-call')
}

/** The first part is the request; the others are what the user sees or selected. */
function listTexts(message: LanguageModelV4Message): string[] {
  if (message.role !== 'user') return []
  const text = message.content.find((part) => part.type === 'text')?.text.trim() ?? ''
  return text === '' ? [] : [text]
}

/** Runs the programs one after the other and joins their results. */
function* runAll(programs: readonly AgentProgram[]): Generator<ProgramCall[], never, ProgramOutcome[]> {
  const ends: ProgramEnd[] = []
  for (const program of programs) ends.push(yield* program)
  const notDone = ends.flatMap((end) => (end.notDone === undefined ? [] : [end.notDone])).join(' ')
  const input = {
    title: ends
      .map(({ title }) => title)
      .join('; ')
      .slice(0, 200),
    summary: ends
      .map(({ summary }) => summary)
      .join(' ')
      .slice(0, 4_000),
    ...(notDone !== '' && { notDone: notDone.slice(0, 1_000) }),
  }
  // If the work is returned, it gives the same answer again and leaves the problems to people.
  for (;;) yield [{ toolName: 'finish', input }]
}

function replay(
  program: Generator<ProgramCall[], never, ProgramOutcome[]>,
  steps: readonly ProgramOutcome[][],
): ProgramCall[] {
  let next = program.next()
  for (const outcomes of steps) next = program.next(outcomes)
  return next.value
}

/** The outcomes of the calls of each step, in order. */
function listSteps(messages: readonly LanguageModelV4Message[]): ProgramOutcome[][] {
  return messages.flatMap((message) => {
    if (message.role !== 'tool') return []
    return [message.content.flatMap((part) => (part.type === 'tool-result' ? [toOutcome(part.output)] : []))]
  })
}

function toOutcome(output: LanguageModelV4ToolResultOutput): ProgramOutcome {
  // Tool results are JSON: they were written to the conversation as such.
  if (output.type === 'json') return { isOk: true, output: output.value as JsonValue }
  if (output.type === 'text') return { isOk: true, output: output.value }
  return { isOk: false, message: output.type === 'error-text' ? output.value : 'The call failed.' }
}
