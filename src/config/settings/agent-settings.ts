import { z } from 'zod'
import { dollars, httpUrl, modelId, modelList, setting, whole } from './setting-shapes.ts'

export const agentSettings = {
  agentModel: setting(modelId.optional(), {
    env: 'DOCENT_AGENT_MODEL',
    description:
      'The model of the agent, as `provider/model`. `docent/offline` follows literal instructions and needs no key.',
    defaultText: '`DOCENT_MODEL`',
  }),
  agentModelFallbacks: setting(
    modelList('is not a list of models such as openai/gpt-5-mini, anthropic/claude-sonnet-4-5').optional(),
    {
      env: 'DOCENT_AGENT_MODEL_FALLBACKS',
      description: 'Fallback models, tried in order when a model fails before its first token.',
      defaultText: '`DOCENT_MODEL_FALLBACKS` where `DOCENT_AGENT_MODEL` is not set, else none',
    },
  ),
  agentModelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_AGENT_MODEL_BASE_URL',
    description: "Base URL for `DOCENT_AGENT_MODEL`, if not the provider's default.",
    defaultText: "that of `DOCENT_MODEL` if the provider is the same, otherwise the provider's default",
  }),
  agentModelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_AGENT_MODEL_API_KEY',
    description: "API key for `DOCENT_AGENT_MODEL`. Overrides the provider's own variable.",
    defaultText: "that of `DOCENT_MODEL` if the provider is the same, otherwise the provider's own variable",
    isSecret: true,
  }),
  agentModelRetries: setting(whole(0, 10).optional(), {
    env: 'DOCENT_AGENT_MODEL_RETRIES',
    description:
      'How often the agent repeats a step after a transient failure of its model, even in the middle of a reply. After that, the job waits some minutes, up to three times. 0: a failure ends the job.',
    defaultText: '5; 0 where `DOCENT_MODEL_RETRIES` is 0',
  }),
  agentConnectSeconds: setting(whole(1, 280).default(280), {
    env: 'DOCENT_AGENT_CONNECT_SECONDS',
    description: "The longest time until a provider begins its reply to the agent, instead of the assistant's limit.",
  }),
  agentFirstTokenSeconds: setting(whole(1, 3_600).default(600), {
    env: 'DOCENT_AGENT_FIRST_TOKEN_SECONDS',
    description: "The longest time until the first text or reasoning of the agent's model, including connecting.",
  }),
  agentSilenceSeconds: setting(whole(1, 280).default(280), {
    env: 'DOCENT_AGENT_SILENCE_SECONDS',
    description: "The longest silence of the agent's model in the middle of a reply.",
  }),
  agentCallSeconds: setting(whole(1, 7_200).default(1_800), {
    env: 'DOCENT_AGENT_CALL_SECONDS',
    description: 'The longest time for one step of the agent, including its retries and fallbacks.',
  }),
  agentMaxSteps: setting(whole(1, 10_000).default(600), {
    env: 'DOCENT_AGENT_MAX_STEPS',
    description: 'Maximum model calls for one message of a job. Work done until then becomes a draft.',
  }),
  agentMaxTokens: setting(whole(1_000, 1_000_000_000).default(10_000_000), {
    env: 'DOCENT_AGENT_MAX_TOKENS',
    description:
      'Maximum tokens (input plus output) for one message of a job, for models without a known price. Input that the provider reads from its cache counts as a tenth.',
  }),
  agentMaxMinutes: setting(whole(1, 1_440).default(120), {
    env: 'DOCENT_AGENT_MAX_MINUTES',
    description: 'Maximum minutes of work on one message of a job, not counting waiting time.',
  }),
  agentMaxUsd: setting(dollars(10), {
    env: 'DOCENT_AGENT_MAX_USD',
    description:
      'Maximum US dollars for one message of a job, for models with a known price. Each step reserves what it could cost, so that a job never costs more.',
  }),
  agentDayUsd: setting(dollars(50), {
    env: 'DOCENT_AGENT_DAY_USD',
    description: 'Maximum US dollars for all jobs of a project in one UTC day. Counts only models with a known price.',
  }),
  agentDayTokens: setting(whole(1_000, 1_000_000_000_000).default(50_000_000), {
    env: 'DOCENT_AGENT_DAY_TOKENS',
    description:
      'Maximum tokens for all jobs of a project in one UTC day, for models without a known price, counted as for `DOCENT_AGENT_MAX_TOKENS`.',
  }),
  agentJobsAtOnce: setting(whole(1, 64).default(4), {
    env: 'DOCENT_AGENT_JOBS_AT_ONCE',
    description: 'Concurrent jobs per process.',
  }),
  agentMention: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9](?:[\w.-]{0,37}[A-Za-z0-9])?$/, {
        error: 'is not a name of up to 39 letters, digits, dots, hyphens and underscores, without the @',
      })
      .default('docent'),
    {
      env: 'DOCENT_AGENT_MENTION',
      description:
        'The name by which pull request comments mention the agent, without `@`. Choose one that no user of the code host has.',
    },
  ),
}
