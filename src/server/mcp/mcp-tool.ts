import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { McpToolName } from '../../contract/operations/search.ts'
import type { ReaderRequest } from '../app-env.ts'
import type { AdmittedAnswer } from '../handlers/answer-route.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import type { SiteSkill } from '../../sites/site-skill.ts'
import type { AgentForm } from '../../insights/agents-seen.ts'
import type { GivenFeedback } from '../../insights/give-feedback.ts'

/** What a call needs from the request it belongs to. */
export interface McpCall extends ReaderRequest {
  signal: AbortSignal
  /** What the site teaches agents. */
  skill: SiteSkill
  /** Whether the client knows links to resources, which revisions before 2025-06-18 do not. */
  knowsLinks: boolean
  /** Counts one use. Called when nothing else can refuse the call. @throws {AppError} `limit_reached`. */
  consumeUse(): Promise<void>
  /** Answers a question within the limits of answers. */
  ask<Result>(question: AssistantQuestion, write: (answer: AdmittedAnswer) => Promise<Result>): Promise<Result>
  /** Counts the agent. @param subject Path of a page, or what was searched or said in vain; else empty. */
  recordVisit(form: AgentForm, subject: string, isMissed: boolean): void
  giveFeedback(given: Omit<GivenFeedback, 'siteId' | 'fp'>): Promise<void>
}

/** A tool as data: its description for clients, and its implementation. */
export interface McpTool {
  definition: Tool
  /**
   * Faults that the model can fix are returned as a result with `isError`; thrown errors are meant for the client
   * program.
   */
  call(call: McpCall, input: unknown): Promise<CallToolResult>
}

type ToolOutcome<Structured> = { texts: string[]; links?: ContentBlock[]; structured: Structured } | { fault: string }

interface ToolSource<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: McpToolName
  title: string
  description: string
  /** Whether the call changes nothing. Default: true. */
  isReadOnly?: false
  /** Whether the same call again has the same effect. Default: true. */
  isIdempotent?: false
  input: Input
  output: Output
  run(call: McpCall, input: z.output<Input>): Promise<ToolOutcome<z.input<Output>>>
}

export function createTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  source: ToolSource<Input, Output>,
): McpTool {
  const { name, title, description, input, output, isReadOnly = true, isIdempotent = true } = source
  const annotations = { title, readOnlyHint: isReadOnly, destructiveHint: false, idempotentHint: isIdempotent }
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: toJsonSchema(input, 'input'),
      outputSchema: toJsonSchema(output, 'output'),
      annotations: { ...annotations, openWorldHint: false },
    },
    async call(call, value) {
      const parsed = input.safeParse(value ?? {})
      if (!parsed.success) return toFaultResult(describeFaults(name, parsed.error))
      const outcome = await source.run(call, parsed.data)
      if ('fault' in outcome) return toFaultResult(outcome.fault)
      const texts = outcome.texts.map((text) => ({ type: 'text' as const, text }))
      const links = call.knowsLinks ? (outcome.links ?? []) : []
      return { content: [...texts, ...links], structuredContent: output.parse(outcome.structured) }
    },
  }
}

/** Draft 7, because clients' validators support it best. */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  // An object schema becomes a JSON Schema of type object.
  return z.toJSONSchema(schema, { target: 'draft-7', io }) as Tool['inputSchema']
}

function describeFaults(tool: string, { issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`)
  return `The arguments of ${tool} are not valid. ${faults.join('; ')}. Mend them and call again.`
}

function toFaultResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
