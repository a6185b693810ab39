import { z } from 'zod'
import {
  type AccountSettingName,
  accountSettingNames,
  describeAccountSetting,
} from '../../contract/provider-accounts.ts'
import {
  listProviders,
  modelProviders,
  providerKeys,
  type ProviderKeySetting,
  providerNames,
} from '../../contract/model-providers.ts'
import { endpointSettings } from './endpoint-settings.ts'
import { modelOptionSettings } from './model-option-settings.ts'
import { ceiling, flag, httpUrl, modelId, modelList, priceList, setting, whole } from './setting-shapes.ts'

const addressless = providerNames.filter((name) => modelProviders[name].account.baseUrl === null)

const keySettings = Object.fromEntries(
  providerKeys.map(({ setting: name, variable, users }) => {
    const description = `The key for models of ${users.map((provider) => `\`${provider}\``).join(' and ')}.`
    const key = z.string().min(1).optional()
    return [name, setting(key, { env: variable, description, defaultText: 'none', isSecret: true })]
  }),
) as Record<ProviderKeySetting, z.ZodOptional<z.ZodString>> // `Object.fromEntries` loses the names.

const accountSettings = Object.fromEntries(
  accountSettingNames.map((name) => {
    const { variable, description, isSecret = false, pattern } = describeAccountSetting(name)
    const value = pattern === undefined ? z.string() : z.string().regex(pattern, { error: 'is not such a name' })
    return [name, setting(value.optional(), { env: variable, description, defaultText: 'none', isSecret })]
  }),
) as Record<AccountSettingName, z.ZodOptional<z.ZodString>> // `Object.fromEntries` loses the names.

export const modelSettings = {
  model: setting(modelId.default('docent/offline'), {
    env: 'DOCENT_MODEL',
    description: `The model that answers, as \`provider/model\`. Providers: ${listProviders(providerNames)}. \`docent/offline\` answers by quoting and needs no key.`,
  }),
  modelFallbacks: setting(modelList('is not a list of models such as openai/gpt-5-mini, docent/offline').optional(), {
    env: 'DOCENT_MODEL_FALLBACKS',
    description:
      'Fallback models, tried in order when a model fails before its first word, as `provider/model`, separated by commas.',
    defaultText: 'none',
  }),
  modelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_MODEL_BASE_URL',
    description: `The address of the provider of \`DOCENT_MODEL\`, for one that is not at its usual place, with its version: \`http://localhost:11434/v1\`. Required for ${listProviders(addressless)}.`,
    defaultText: "the provider's own",
  }),
  modelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_MODEL_API_KEY',
    description:
      "The API key for the provider in `DOCENT_MODEL`. Takes precedence over the provider's own variable; fallbacks at other providers never get it.",
    defaultText: "the provider's own variable",
    isSecret: true,
  }),
  ...keySettings,
  ...accountSettings,
  ...endpointSettings,
  ...modelOptionSettings,
  rewriteModel: setting(modelId.optional(), {
    env: 'DOCENT_REWRITE_MODEL',
    description:
      'A model that rewrites follow-up questions for the search, as `provider/model`. A small one is faster. `docent/offline` turns this off.',
    defaultText: '`DOCENT_MODEL`',
  }),
  modelsWithoutTools: setting(modelList('is not a list of models such as openai-compatible/gemma3').optional(), {
    env: 'DOCENT_MODELS_WITHOUT_TOOLS',
    description:
      'Models that cannot call tools, separated by commas: they get the retrieved passages in their prompt instead. Docent detects models that refuse calls with tools.',
    defaultText: 'none',
  }),
  modelPrices: setting(priceList.optional(), {
    env: 'DOCENT_MODEL_PRICES',
    description:
      'Prices in US dollars per million tokens, by prefix of the model id: `openai/gpt-5=1.25:10:0.125`. The prices are for input, output and, optionally, cached input and cache writes. Separate models by commas. They take precedence over the built-in list prices.',
    defaultText: 'list prices',
  }),
  siteCostPerDay: setting(ceiling(1_000_000).default(5), {
    env: 'DOCENT_SITE_COST_PER_DAY',
    description:
      "Maximum US dollars that a site's answers may cost in one UTC day; beyond that, the offline model answers. `unlimited` removes the ceiling. Sites may set their own.",
  }),
  siteTokensPerDay: setting(ceiling(1_000_000_000_000).default(5_000_000), {
    env: 'DOCENT_SITE_TOKENS_PER_DAY',
    description:
      'The same in tokens, for models without a known price. `unlimited` removes the ceiling; models priced in `DOCENT_MODEL_PRICES` do not count.',
  }),
  maskPrompts: setting(flag(false), {
    env: 'DOCENT_MASK_PROMPTS',
    description:
      'Whether keys, tokens, e-mail addresses and card numbers are removed from what a reader writes before a model reads it. `true` or `false`.',
  }),
  modelRetries: setting(whole(0, 5).default(2), {
    env: 'DOCENT_MODEL_RETRIES',
    description: 'How often a model is retried after a transient failure, before the next one is tried.',
  }),
  modelConnectSeconds: setting(whole(1, 280).default(30), {
    env: 'DOCENT_MODEL_CONNECT_SECONDS',
    description:
      'The longest time until a provider begins its reply. Raise it for local models that load at the first question.',
  }),
  modelFirstTokenSeconds: setting(whole(1, 280).default(60), {
    env: 'DOCENT_MODEL_FIRST_TOKEN_SECONDS',
    description: 'The longest time until the first word of a model, including connecting.',
  }),
  modelSilenceSeconds: setting(whole(1, 280).default(30), {
    env: 'DOCENT_MODEL_SILENCE_SECONDS',
    description: 'The longest silence of a model in the middle of an answer.',
  }),
  modelCallSeconds: setting(whole(1, 900).default(300), {
    env: 'DOCENT_MODEL_CALL_SECONDS',
    description: 'The longest time for one model call, including its retries and fallbacks.',
  }),
  resumeGraceSeconds: setting(whole(0, 600).default(20), {
    env: 'DOCENT_RESUME_GRACE_SECONDS',
    description:
      'How long a resumable answer continues after its reader has left, before the model is stopped. 0 stops it at once.',
  }),
}
