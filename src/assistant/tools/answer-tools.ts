import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { answerBounds } from '../answer-bounds.ts'
import { type AnswerToolDeps, createToolLimit } from './answer-tool.ts'
import { createGrepTool } from './grep-tool.ts'
import { createLoadSkillTool } from './load-skill-tool.ts'
import { createListPagesTool } from './list-pages-tool.ts'
import { createReadPageTool } from './read-page-tool.ts'
import { createSearchTool, type SearchTool } from './search-tool.ts'

export interface AnswerTools {
  /** Also used for the first search, before the model is called. */
  search: SearchTool
  all: ToolDefinition[]
}

/**
 * Everything that the model may do for an answer: search, read a page, list pages, find text, and read the owner's
 * skills, if any.
 *
 * Requests limited to a tag get only the search, because nothing else in the index knows the tags of pages.
 */
export function createAnswerTools(deps: AnswerToolDeps): AnswerTools {
  const limit = createToolLimit(answerBounds.toolChars)
  const search = limit(createSearchTool(deps))
  const { skills } = deps.site.guidance
  const loadSkill = skills.length === 0 ? [] : [createLoadSkillTool(skills)]
  if (deps.question.filter.tag !== undefined) return { search, all: [search, ...loadSkill] }
  return {
    search,
    all: [
      search,
      ...loadSkill,
      limit(createReadPageTool(deps)),
      limit(createListPagesTool(deps)),
      limit(createGrepTool(deps)),
    ],
  }
}
