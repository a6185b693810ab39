import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AssistantSkill } from '../../store/sites/index-guidance.ts'

export const loadSkillName = 'load_skill'

const skillsMax = 3

const inputSchema = z.object({ name: z.string().max(64).describe('Name of the skill, as the instructions list it.') })

/** The tool that reads one of the owner's skills, a few at most per answer. */
export function createLoadSkillTool(skills: readonly AssistantSkill[]): ToolDefinition<typeof inputSchema> {
  const loaded = new Set<string>()
  return {
    name: loadSkillName,
    description: "Reads the owner's instructions for questions of one kind.",
    inputSchema,
    resultCharsMax: 60_000,
    async run({ name }) {
      const skill = skills.find((one) => one.name === name)
      if (skill === undefined) {
        return `There is no skill "${name}". Use one of: ${skills.map((one) => one.name).join(', ')}.`
      }
      if (!loaded.has(name) && loaded.size >= skillsMax) {
        return 'No more skills can be loaded for this answer. Go on with those that are.'
      }
      loaded.add(name)
      return { name, instructions: skill.body }
    },
  }
}
