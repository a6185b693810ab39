import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { listOpenConflicts } from './open-conflicts.ts'
import { describeProblems } from './check-tool.ts'

/** How often finished work is returned for new problems. If problems remain after that, it becomes a draft. */
const repairsMax = 3

const inputSchema = z.object({
  title: z.string().trim().min(1).max(200).describe('What the change does, as a title of up to 70 characters.'),
  summary: z.string().trim().min(1).max(4_000).describe('Why, and what has changed, in a few sentences. No headings.'),
  notDone: z.string().trim().max(1_000).optional().describe('What was asked for and is not done, and why.'),
  resolved: z
    .array(z.string().max(1_000))
    .max(1_000)
    .optional()
    .describe('Only after a merge of the base branch: conflicting files that are right as they are.'),
})

/** Ends the work after checking the change. New problems are returned for repair. */
export function createFinishTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  const { overlay, state, check } = deps
  return {
    name: 'finish',
    description:
      'Ends the work; there is no other way to end it. Your change is checked, and problems that it adds come back to you. If nothing needs to change, say so in the summary.',
    inputSchema,
    resultCharsMax: 30_000,
    async run({ title, summary, notDone = '', resolved = [] }, signal) {
      if (state.finished !== null) throw new AppError('invalid_request', 'The work is finished already.')
      state.conflicts = state.conflicts.filter((path) => !resolved.includes(path))
      const open = listOpenConflicts(state, deps)
      const isChanged = overlay.changes().length > 0
      state.problems = isChanged ? await check({ isWhole: false }, signal) : []
      const checkedState = createHash('sha256').update(JSON.stringify(overlay)).digest('hex')
      const isGivenBack =
        (state.problems.some(({ severity }) => severity === 'block') || open.length > 0) &&
        state.repairs < repairsMax &&
        state.checkedState !== checkedState
      state.checkedState = checkedState
      signal.throwIfAborted()
      if (isGivenBack) {
        state.repairs += 1
        const advice = 'Fix these and finish again. To leave them to the reviewers, finish again without a change.'
        const conflicts = open.length > 0 && {
          conflicts: open,
          conflictAdvice:
            'Write the changes of this branch into these, or name them in "resolved". Else nothing of the merge is kept.',
        }
        return { accepted: false, advice, ...conflicts, ...describeProblems(state.problems) }
      }
      state.finished = { title, summary, notDone }
      return { accepted: true }
    },
  }
}
