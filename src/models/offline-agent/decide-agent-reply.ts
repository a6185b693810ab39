import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { JsonValue } from '../../contract/json.ts'
import type { AgentProgram, AgentReply, ProgramCall, ProgramEnd, ProgramOutcome } from './agent-program.ts'
import { findExamples } from './find-examples.ts'
import { readInstruction } from './read-instruction.ts'

/** The next step of the offline model: the first step of its programs that the conversation does not contain yet. */
export function decideAgentReply({ prompt }: LanguageModelV4CallOptions): AgentReply {
  const tail = prompt.slice(prompt.findLastIndex(isEndOfEarlierWork) + 1)
  const instructions = tail.flatMap(listTexts)
  const programs = instructions.map(readInstruction)
  const refused = programs.indexOf(null)
  if (programs.length === 0 || refused !== -1)
    return { type: 'refuse', sentence: describeRefusal(instructions[refused] ?? '') }
  const calls = replay(runAll(programs.flatMap((program) => program ?? [])), listSteps(tail))
  return { type: 'call', calls }
}

/** Says what to write in place of an instruction that is not literal, and how to have it followed as it is. */
export function describeRefusal(instruction: string): string {
  const examples = findExamples(instruction).map((example) => `“${example}”`)
  return `The built-in model follows literal instructions only, such as ${examples.join(' or ')} For anything else, set DOCENT_MODEL to a language model, or choose one under Settings › Model.`
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
  const input = joinEnds(ends)
  // If the work is returned, it gives the same answer again and leaves the problems to people.
  for (;;) yield [{ toolName: 'finish', input }]
}

/** What was not done is reported as such, but not in the title if something else was done. */
function joinEnds(ends: readonly ProgramEnd[]): ProgramCall['input'] {
  const worked = ends.filter(({ isNothing }) => isNothing !== true)
  const told = worked.length > 0 ? worked : ends
  const refused = worked.length > 0 ? ends.filter(({ isNothing }) => isNothing === true) : []
  const notDone = [...ends.flatMap((end) => end.notDone ?? []), ...refused.map(({ summary }) => summary)].join(' ')
  return {
    title: join(told, 'title', '; ').slice(0, 200),
    summary: join(told, 'summary', ' ').slice(0, 4_000),
    ...(notDone !== '' && { notDone: notDone.slice(0, 1_000) }),
  }
}

function join(ends: readonly ProgramEnd[], part: 'title' | 'summary', between: string): string {
  return ends.map((end) => end[part]).join(between)
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
