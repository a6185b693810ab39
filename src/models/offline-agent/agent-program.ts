import type { JsonValue } from '../../contract/json.ts'

/** A call that a program makes. */
export interface ProgramCall {
  toolName: string
  input: { [key: string]: JsonValue }
}

/** The outcome of a call. */
export type ProgramOutcome = { isOk: true; output: JsonValue } | { isOk: false; message: string }

/** What a program did, for the pull request. */
export interface ProgramEnd {
  title: string
  summary: string
  notDone?: string
  /** Nothing was changed, and the summary says why. */
  isNothing?: true
}

/**
 * The steps that follow a literal instruction: each yields calls and receives their outcomes.
 *
 * Every call of the model runs the program from its beginning with the outcomes in the conversation, so the model itself
 * keeps no state. A program must therefore depend on nothing else.
 */
export type AgentProgram = Generator<ProgramCall[], ProgramEnd, ProgramOutcome[]>

export type AgentReply = { type: 'call'; calls: ProgramCall[] } | { type: 'refuse'; sentence: string }
