import { listSections } from '../../shell/page-sections.ts'
import { say } from '../../../words/say.ts'

export const settingsViews = ['model', 'webhooks', 'code-hosts', 'brand'] as const
export const settingsSections = listSections(
  settingsViews,
  {
    model: {
      title: say('Model'),
      words: say(
        'llm ai provider openai anthropic claude gpt google gemini vertex azure bedrock mistral cohere ollama local api key prices cost chatgpt llama deepseek lm studio language account subscription answers secret token temperature effort another credentials thinking reasoning switch fallback offline',
      ),
    },
    webhooks: {
      title: say('Webhooks'),
      words: say(
        'endpoints notifications notify alert events deliveries callbacks http sync fails failures zapier integration integrations hook post failed failing delivery server send payload url our',
      ),
    },
    'code-hosts': {
      title: say('Code hosts'),
      words: say(
        'github gitlab gitea bitbucket app connect repository repo git token connection forge enterprise access integration integrations permissions our organization install push pull actions',
      ),
    },
    brand: {
      title: say('Brand'),
      words: say(
        'logo color colour appearance look favicon company corporate identity theme colors colours white label design primary accent',
      ),
    },
  },
  'owner',
)
export type SettingsView = (typeof settingsViews)[number]

export interface SettingsSearch {
  view?: Exclude<SettingsView, 'model'>
  /** Slug of an App that was just created. */
  made?: string
}

export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const view = settingsViews.find((view) => view === search['view'])
  const made = search['made']
  return {
    ...(view !== undefined && view !== 'model' && { view }),
    ...(typeof made === 'string' && made !== '' && { made: made.slice(0, 100) }),
  }
}
