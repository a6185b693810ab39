import type { JsonValue } from '../../contract/json.ts'

/** A call that a program makes. */
export interface ProgramCall {
  toolName: string
  input: { [key: string]: JsonValue }
}

/** What a call came to. */
export type ProgramOutcome = { isOk: true; output: JsonValue } | { isOk: false; message: string }

/** What a program did, for the pull request. */
export interface ProgramEnd {
  title: string
  summary: string
  notDone?: string
}

/**
 * The steps that follow a literal instruction: each yields calls and is given what they came to.
 *
 * A program is run from its beginning at every call of the model, with the outcomes that the conversation holds, so that
 * the model itself keeps nothing. It must therefore depend on nothing else.
 */
export type AgentProgram = Generator<ProgramCall[], ProgramEnd, ProgramOutcome[]>

export type AgentReply = { type: 'call'; calls: ProgramCall[] } | { type: 'refuse'; sentence: string }
