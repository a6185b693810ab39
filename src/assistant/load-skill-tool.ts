import { z } from 'zod'
import type { LoopEvent } from '../models/loop/loop-event.ts'
import type { ToolDefinition } from '../models/loop/tool-definition.ts'
import type { AssistantSkill } from '../store/index-guidance.ts'

export const loadSkillName = 'load_skill'

const skillsMax = 3

const inputSchema = z.object({ name: z.string().max(64).describe('Name of the skill, as the instructions list it.') })

/** The tool that reads one of the owner's skills, a few at most for one answer. */
export function createLoadSkillTool(skills: readonly AssistantSkill[]): ToolDefinition<typeof inputSchema> {
  const loaded = new Set<string>()
  return {
    name: loadSkillName,
    description: "Reads the owner's instructions for questions of one kind.",
    inputSchema,
    resultCharsMax: 60_000,
    run({ name }) {
      const skill = skills.find((one) => one.name === name)
      if (skill === undefined) {
        return Promise.resolve(`There is no skill "${name}". Use one of: ${skills.map((one) => one.name).join(', ')}.`)
      }
      if (!loaded.has(name) && loaded.size >= skillsMax) {
        return Promise.resolve('No more skills can be loaded for this answer. Go on with those that are.')
      }
      loaded.add(name)
      return Promise.resolve({ name, instructions: skill.body })
    },
  }
}

/** Keeps what the owner tells the model from readers: they see that a skill was loaded, and not what it says. */
export class HiddenOutputs {
  readonly #callIds = new Set<string>()

  /** @returns The event as readers may see it. */
  hide(event: LoopEvent): LoopEvent {
    if (event.type === 'tool-called' && event.toolName === loadSkillName) this.#callIds.add(event.callId)
    if (event.type !== 'tool-returned' || !this.#callIds.has(event.callId)) return event
    return { ...event, output: 'The model has read it.' }
  }
}
