import { z } from 'zod'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({
  everything: z
    .boolean()
    .optional()
    .describe('Also problems that were there before your change. Takes longer on large sites.'),
})

/** Most problems shown to the model at once. */
const problemsShownMax = 40

/** Runs the checks that a finished change must pass. */
export function createCheckTool({ check, state }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'check',
    description: 'Checks the files as they are now: syntax, frontmatter, links, navigation and more.',
    inputSchema,
    resultCharsMax: 30_000,
    async run({ everything = false }, signal) {
      const problems = await check({ isWhole: everything }, signal)
      if (!everything) state.problems = problems
      return describeProblems(problems)
    },
  }
}

export function describeProblems(problems: readonly AgentProblem[]): { [key: string]: JsonValue } {
  const left = problems.length - problemsShownMax
  return {
    total: problems.length,
    problems: problems.slice(0, problemsShownMax).map((problem) => ({ ...problem })),
    ...(left > 0 && { note: `${left} more are not shown. Fix these first.` }),
  }
}
