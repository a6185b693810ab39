import { listSections } from '../../shell/page-sections.ts'

export const settingsViews = ['model', 'webhooks', 'code-hosts', 'brand'] as const
export const settingsSections = listSections(
  settingsViews,
  {
    model:
      'llm ai provider openai anthropic claude gpt google gemini vertex azure bedrock mistral cohere ollama local api key prices cost',
    webhooks: 'endpoints notifications notify alert events deliveries callbacks http sync fails',
    'code-hosts': 'github gitlab gitea bitbucket app connect repository repo git token',
    brand: 'logo color colour appearance look favicon company corporate identity theme',
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
