import { z } from 'zod'
import { modelEfforts } from '../../contract/model-providers.ts'
import { flag, jsonObject, setting } from './setting-shapes.ts'

const options = {
  effort: z.enum(modelEfforts, { error: `is not one of ${modelEfforts.join(', ')}` }),
  temperature: z.number({ error: 'is not a number' }).min(0, 'is below 0').max(2, 'is above 2'),
  outputTokensMax: z
    .int({ error: 'is not a whole number' })
    .min(256, 'is below 256')
    .max(1_000_000, 'is above 1000000'),
  contextTokens: z
    .int({ error: 'is not a whole number' })
    .min(4_000, 'is below 4000')
    .max(100_000_000, 'is above 100000000'),
  promptCacheKey: z.boolean({ error: 'is neither true nor false' }),
}

const unknownOption = `has an unknown option: use ${Object.keys(options).join(', ')}`

export const modelOptionsSchema = z
  .strictObject(options, { error: ({ code }) => (code === 'unrecognized_keys' ? unknownOption : 'is not an object') })
  .partial()

/** How a model is called. */
export type ModelOptions = z.output<typeof modelOptionsSchema>

const beginning = z
  .string()
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)?\/\S*$/, { error: 'is not the beginning of a model id such as openai/gpt-5' })

export const modelOptionSettings = {
  modelOptions: setting(
    jsonObject(z.record(beginning, modelOptionsSchema), '{"openai/gpt-5": {"effort": "low"}}').optional(),
    {
      env: 'DOCENT_MODEL_OPTIONS',
      description: `Options for model calls, as JSON by prefix of the model id; the longest match wins: \`{"openai/gpt-5": {"effort": "low", "outputTokensMax": 4000}}\`. \`effort\` is how long a model thinks: ${modelEfforts.map((effort) => `\`${effort}\``).join(', ')}. \`temperature\` lies between 0 and 2. \`outputTokensMax\` bounds one reply. \`contextTokens\` is the model's window, by which the agent shortens its conversation: by default that of the model where it is known, else 128,000; set it for local models. \`promptCacheKey\` sends \`prompt_cache_key\` to servers that speak OpenAI's protocol. \`docent model check\` says which of them a model does not take.`,
      defaultText: 'as the provider decides',
    },
  ),
  findLocalModels: setting(flag(true), {
    env: 'DOCENT_FIND_LOCAL_MODELS',
    description:
      'Whether a new installation looks for models in Ollama (`127.0.0.1:11434`) and LM Studio (`127.0.0.1:1234`) and prints them, and whether owners may choose one in the dashboard. Never with PostgreSQL, where replicas share the settings. `true` or `false`.',
  }),
  promptCaching: setting(flag(true), {
    env: 'DOCENT_PROMPT_CACHING',
    description:
      'Whether providers are asked to cache the beginning of a prompt, which the next call repeats at a tenth of its price. `true` or `false`.',
  }),
  directPieces: setting(flag(true), {
    env: 'DOCENT_DIRECT_PIECES',
    description:
      "Whether Docent parses a provider's stream itself, which takes half the processor time. `false` leaves everything to the provider's package. `true` or `false`.",
  }),
}
